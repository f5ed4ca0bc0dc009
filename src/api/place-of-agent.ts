import { MillraceError } from "../error.ts";
import type { ApiKey } from "../principals/principal.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { IdentityStore } from "../runs/agent-identity.ts";
import { reachesFactory } from "./authorize.ts";
import { definedAgents } from "./defined-agents.ts";

/** Where something that runs an agent belongs. Without an agent it is that of the factory, whichever that is then. */
export interface AgentPlace {
  factoryUid: string | null;
  agentUid: string | null;
}

export interface AgentPlaceParts {
  factories: Factories;
  identities: Pick<IdentityStore, "find">;
}

/**
 * The factory of the agent that is named, else the only one that the key reaches, else none.
 * @throws MillraceError `invalid_request` for an agent that the key does not reach
 */
export async function placeOfAgent(
  key: ApiKey,
  agentUid: string | undefined,
  { factories, identities }: AgentPlaceParts,
): Promise<AgentPlace> {
  if (agentUid === undefined) {
    const [only, another] = factories.list().filter(({ record }) => reachesFactory(key, record.uid));
    return { factoryUid: only && !another ? only.record.uid : null, agentUid: null };
  }
  const defined = definedAgents(key, factories).find(({ resource }) => resource.uid === agentUid);
  if (defined) return { factoryUid: defined.factory.uid, agentUid };
  if (reachesFactory(key, null) && (await identities.find(agentUid))) return { factoryUid: null, agentUid };
  throw new MillraceError("invalid_request", `agent_uid: there is no agent "${agentUid}".`, {
    remedy: "`millrace agents list` shows the agents that the key reaches.",
    extra: { field: "agent_uid" },
  });
}
