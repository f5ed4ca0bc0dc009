import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Agent } from "../../definitions/definition.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { reachesFactory } from "../http/authorize.ts";

/** An agent of a definition in force, with its factory. */
export interface DefinedAgent {
  agent: Agent;
  resource: StoredResource;
  factory: { uid: string; name: string };
  active: ActiveDefinition;
}

/** The agents of every definition in force that a key reaches. */
export function definedAgents(key: ApiKey, factories: Factories): DefinedAgent[] {
  const reached = factories.list().filter(({ record }) => reachesFactory(key, record.uid));
  return reached.flatMap(({ record: { uid, name }, active }) =>
    active ? agentsOf(active).map((agent) => ({ ...agent, factory: { uid, name }, active })) : [],
  );
}

function agentsOf({ definition, resources }: ActiveDefinition) {
  const live = resources.filter(({ kind, deleted }) => kind === "agent" && !deleted);
  return definition.agents.flatMap((agent) => {
    const resource = live.find(({ name }) => name === agent.name);
    return resource ? [{ agent, resource }] : [];
  });
}

/** What the API has made belongs to no factory, so a key that is limited to some does not see it. */
export function seesIdentities(key: ApiKey): boolean {
  return reachesFactory(key, null);
}
