import { pluralize } from "../../pluralize.ts";
import type { Agent, Automation, StartGrant } from "../definition.ts";
import { grantOf, grantsAgent } from "../start-grant.ts";
import type { StoredResource } from "./plan.ts";
import type { PlanWarning } from "./plan-warning.ts";
import type { PlannedChange } from "./warn-of-changes.ts";

/**
 * Agents and automations whose runs may start more than those of today. Those of a factory's first definition are all new,
 * and so is each that nothing was known of: it is told of when its file has a grant.
 */
export function grantsThatWiden({ stored, definition, locate }: PlannedChange): PlanWarning[] {
  const known = new Map(
    stored
      .filter(({ deleted }) => !deleted)
      .map((resource) => [`${resource.kind} ${resource.name}`, resource]),
  );
  if (known.size === 0) return [];
  const agents = new Map(definition.agents.map((agent) => [agent.name, agent]));
  const agentBefore = (name: string) => bodyOf<Agent>(known.get(`agent ${name}`));
  const ofAgents = definition.agents.map((agent) => {
    const before = agentBefore(agent.name);
    return {
      what: "agent",
      of: agent,
      before: grantOf(before),
      after: before || agent.starts ? grantOf(agent) : undefined,
    };
  });
  const ofAutomations = definition.automations.map((automation) => {
    const before = bodyOf<Automation>(known.get(`automation ${automation.name}`));
    const isOfAgent = !automation.starts && !before?.starts && (!before || before.agent === automation.agent);
    // What its agent may do is told of the agent.
    const after = isOfAgent ? undefined : grantOf(agents.get(automation.agent), automation);
    const former = before && grantOf(agentBefore(before.agent), before);
    return { what: "automation", of: automation, before: former, after };
  });
  return [...ofAgents, ...ofAutomations].flatMap(({ what, of, before, after }): PlanWarning[] => {
    const more = after ? whatIsMore(before, after, [...agents.keys()]) : [];
    if (more.length === 0) return [];
    const message = `runs of the ${what} "${of.name}" may start more than before: ${more.join("; ")}`;
    return [
      { code: "grant_widened", message, path: of.path, ...locate(of.path, ["millrace"]), blocking: false },
    ];
  });
}

function whatIsMore(before: StartGrant | undefined, after: StartGrant, agents: readonly string[]): string[] {
  const former = before ?? { agents: [], children: 0, depth: 0 };
  const added = agents.filter((name) => grantsAgent(after, name) && !grantsAgent(former, name));
  if (!before) return [`${listOf(added)} (${pluralize(after.children, "run")}, ${generations(after.depth)})`];
  return [
    ...(added.length > 0 ? [listOf(added)] : []),
    ...(after.children > before.children
      ? [`${pluralize(after.children, "run")} instead of ${before.children}`]
      : []),
    ...(after.depth > before.depth ? [`${generations(after.depth)} instead of ${before.depth}`] : []),
  ];
}

const generations = (depth: number) => pluralize(depth, "generation");
const listOf = (names: readonly string[]) =>
  `the ${names.length === 1 ? "agent" : "agents"} ${names.map((name) => `"${name}"`).join(", ")}`;

function bodyOf<Resource>(resource: StoredResource | undefined): Resource | undefined {
  return resource && (JSON.parse(resource.body) as Resource);
}
