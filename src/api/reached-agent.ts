import { MillraceError } from "../error.ts";
import type { ApiKey } from "../principals/principal.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import { webhookSecretsOf } from "../reconcile/served.ts";
import type { IdentityStore } from "../runs/agent-identity.ts";
import { foremanOf, type RunAgent } from "../runs/new-run.ts";
import { reachesFactory } from "./authorize.ts";
import { definedAgents } from "./defined-agents.ts";

export interface AgentParts {
  factories: Factories;
  identities: Pick<IdentityStore, "find">;
}

/**
 * Who takes a run that a key asks for: the agent that is named, else the foreman of the only factory that the key
 * reaches, else nobody (interface, Run requests).
 * @throws MillraceError `invalid_request` for an agent that the key does not reach
 */
export async function agentOfRun(
  key: ApiKey,
  agentUid: string | undefined,
  parts: AgentParts,
): Promise<RunAgent | undefined> {
  if (agentUid !== undefined) return reachedAgent(key, agentUid, "agent_identity_uid", parts);
  const only = onlyFactory(key, parts.factories);
  if (!only?.served) return undefined;
  return { factory: { uid: only.record.uid, served: only.served }, agent: foremanOf(only.served.definition) };
}

/**
 * Where what runs an agent again and again belongs. Without an agent it is the only factory that the key reaches, and its
 * foreman is whoever is that when it runs.
 * @throws MillraceError `invalid_request` for an agent that the key does not reach
 */
export async function placeOfAgent(
  key: ApiKey,
  agentUid: string | undefined,
  parts: AgentParts,
): Promise<{ factoryUid: string | null; agentUid: string | null }> {
  if (agentUid === undefined) {
    return { factoryUid: onlyFactory(key, parts.factories)?.record.uid ?? null, agentUid: null };
  }
  const agent = await reachedAgent(key, agentUid, "agent_uid", parts);
  return { factoryUid: "factory" in agent ? agent.factory.uid : null, agentUid };
}

function onlyFactory(key: ApiKey, factories: Factories): Factory | undefined {
  const [only, another] = factories.list().filter(({ record }) => reachesFactory(key, record.uid));
  return another ? undefined : only;
}

async function reachedAgent(
  key: ApiKey,
  uid: string,
  field: string,
  { factories, identities }: AgentParts,
): Promise<RunAgent> {
  const defined = definedAgents(key, factories).find(({ resource }) => resource.uid === uid);
  if (defined) {
    return { factory: { uid: defined.factory.uid, served: defined.served }, agent: defined.agent.name };
  }
  const identity = reachesFactory(key, null) ? await identities.find(uid) : undefined;
  if (!identity) {
    throw new MillraceError("invalid_request", `${field}: there is no agent ${JSON.stringify(uid)}.`, {
      remedy: "`millrace agents list` shows the agents that the key reaches.",
      extra: { field },
    });
  }
  const webhookSecrets = webhookSecretsOf(factories.list());
  return {
    identity: { ...identity, secrets: identity.secrets.filter((name) => !webhookSecrets.has(name)) },
  };
}
