import type { Config } from "../config/config.ts";
import { MillraceError } from "../error.ts";
import type { ApiKey } from "../principals/principal.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import { type IdentityStore, withoutCredentials } from "../runs/agent-identity.ts";
import { foremanOf, type RunAgent } from "../runs/new-run.ts";
import { invalidField } from "./agent-config-check.ts";
import { reachesFactory } from "./authorize.ts";
import { definedAgents } from "./defined-agents.ts";

export interface AgentParts {
  factories: Factories;
  identities: Pick<IdentityStore, "find">;
  config: Pick<Config, "defaultFactory">;
}

/**
 * Who takes a run that a key asks for: the agent that is named, else the foreman of the factory that is named or that is
 * the only one that the key reaches or the server's default, else nobody (interface, Run requests).
 * @param asked a factory by its name or uid, an agent by its uid
 * @throws MillraceError `invalid_request` for an agent or a factory that the key does not reach, or that do not belong together
 */
export async function agentOfRun(
  key: ApiKey,
  { agentUid, factory }: { agentUid?: string | undefined; factory?: string | undefined },
  parts: AgentParts,
): Promise<RunAgent | undefined> {
  const named = factory === undefined ? undefined : reachedFactory(key, factory, parts.factories);
  if (agentUid !== undefined) {
    const agent = await reachedAgent(key, agentUid, "agent_identity_uid", parts);
    if (!named || ("factory" in agent && agent.factory.uid === named.record.uid)) return agent;
    throw invalidField("agent_identity_uid", `the agent is none of the factory ${JSON.stringify(factory)}`);
  }
  const taker = named ?? factoryOfKey(key, parts);
  if (named && !named.served)
    throw invalidField("factory", `"${named.record.name}" has no definition in force yet`);
  if (!taker?.served) return undefined;
  return {
    factory: { uid: taker.record.uid, served: taker.served },
    agent: foremanOf(taker.served.definition),
  };
}

function reachedFactory(key: ApiKey, name: string, factories: Factories): Factory {
  const found = factories.find(name);
  if (found && reachesFactory(key, found.record.uid)) return found;
  throw invalidField("factory", `there is no factory ${JSON.stringify(name)}`);
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
    return { factoryUid: factoryOfKey(key, parts)?.record.uid ?? null, agentUid: null };
  }
  const agent = await reachedAgent(key, agentUid, "agent_uid", parts);
  return { factoryUid: "factory" in agent ? agent.factory.uid : null, agentUid };
}

/** The only factory that a key reaches; of several, for an unlimited key, that of the settings. */
function factoryOfKey(
  key: ApiKey,
  { factories, config }: Omit<AgentParts, "identities">,
): Factory | undefined {
  const [only, another] = reachedBy(key, factories);
  if (!another) return only;
  const { defaultFactory } = config;
  if (defaultFactory === undefined || !reachesFactory(key, null)) return undefined;
  const found = factories.find(defaultFactory);
  if (found) return found;
  throw new MillraceError(
    "conflict",
    `The server's default factory ${JSON.stringify(defaultFactory)} (MILLRACE_DEFAULT_FACTORY) is not there.`,
    { remedy: "Correct the setting, or name the factory in the request.", retryable: false },
  );
}

/** Whether a run that names nobody belongs to no factory because there are several that it could belong to. */
export function isBetweenFactories(key: ApiKey, { factories }: Pick<AgentParts, "factories">): boolean {
  return reachedBy(key, factories).length > 1;
}

function reachedBy(key: ApiKey, factories: Factories): Factory[] {
  return factories.list().filter(({ record }) => reachesFactory(key, record.uid));
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
  return { identity: withoutCredentials(identity, factories.list()) };
}
