import { MillraceError } from "../error.ts";
import type { ApiKey } from "../principals/principal.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { IdentityStore } from "../runs/agent-identity.ts";
import { foremanOf, type RunAgent } from "../runs/new-run.ts";
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
  throw noSuchAgent("agent_uid", agentUid);
}

/**
 * Who takes a run that a key asks for: the agent that is named, else the foreman of the only factory that the key
 * reaches, else nobody (interface, Run requests).
 * @throws MillraceError `invalid_request` for an agent that the key does not reach
 */
export async function agentOfRun(
  key: ApiKey,
  agentUid: string | undefined,
  { factories, identities }: AgentPlaceParts,
): Promise<RunAgent | undefined> {
  if (agentUid === undefined) {
    const [only, another] = factories.list().filter(({ record }) => reachesFactory(key, record.uid));
    if (!only?.served || another) return undefined;
    return {
      factory: { uid: only.record.uid, served: only.served },
      agent: foremanOf(only.served.definition),
    };
  }
  const defined = definedAgents(key, factories).find(({ resource }) => resource.uid === agentUid);
  if (defined) {
    return { factory: { uid: defined.factory.uid, served: defined.served }, agent: defined.agent.name };
  }
  const identity = reachesFactory(key, null) ? await identities.find(agentUid) : undefined;
  if (!identity) throw noSuchAgent("agent_identity_uid", agentUid);
  const secrets = identity.secrets.filter((name) => !isCredential(name, factories));
  return { identity: { ...identity, secrets } };
}

/** What webhooks authenticate with is never an agent's business. */
function isCredential(secret: string, factories: Factories): boolean {
  return factories
    .list()
    .some(({ served }) => served?.definition.webhooks.some(({ secretName }) => secretName === secret));
}

function noSuchAgent(field: string, uid: string): MillraceError {
  return new MillraceError("invalid_request", `${field}: there is no agent ${JSON.stringify(uid)}.`, {
    remedy: "`millrace agents list` shows the agents that the key reaches.",
    extra: { field },
  });
}
