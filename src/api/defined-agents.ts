import type { Agent } from "../definitions/definition.ts";
import type { StoredResource } from "../definitions/plan.ts";
import type { ApiKey } from "../principals/principal.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { ServedDefinition } from "../reconcile/served.ts";
import { reachesFactory } from "./authorize.ts";

/** An agent of a definition in force, with its factory. */
export interface DefinedAgent {
  agent: Agent;
  resource: StoredResource;
  factory: { uid: string; name: string };
  served: ServedDefinition;
}

/** The agents of every definition in force that a key reaches. */
export function definedAgents(key: ApiKey, factories: Factories): DefinedAgent[] {
  const reached = factories.list().filter(({ record }) => reachesFactory(key, record.uid));
  return reached.flatMap(({ record: { uid, name }, served }) =>
    served ? agentsOf(served).map((agent) => ({ ...agent, factory: { uid, name }, served })) : [],
  );
}

function agentsOf({ definition, resources }: ServedDefinition) {
  const live = resources.filter(({ kind, deleted }) => kind === "agent" && !deleted);
  return definition.agents.flatMap((agent) => {
    const resource = live.find(({ name }) => name === agent.name);
    return resource ? [{ agent, resource }] : [];
  });
}
