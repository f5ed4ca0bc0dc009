import type { Factory } from "../reconcile/running-factory.ts";
import type { Run } from "../runs/run.ts";

/**
 * For whom a run may get tokens, by what its factory serves now: what its automation says, else its agent, else the factory.
 * @returns nothing for everyone
 */
export function grantedAudiences(
  { automationUid, agentUid }: Pick<Run, "automationUid" | "agentUid">,
  { active }: Pick<Factory, "active">,
): readonly string[] | undefined {
  if (!active) return undefined;
  const { definition, uidOf } = active;
  const automation = definition.automations.find(({ name }) => uidOf("automation", name) === automationUid);
  const agent = definition.agents.find(({ name }) => uidOf("agent", name) === agentUid);
  return automation?.audiences ?? agent?.audiences ?? definition.factory.audiences;
}
