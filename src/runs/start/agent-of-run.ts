import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Agent } from "../../definitions/definition.ts";
import { invalidField, MillraceError } from "../../errors/error.ts";
import { type ApiKey, reachesFactory } from "../../principals/principal.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { type IdentityStore, withoutCredentials } from "../agents/agent-identity.ts";
import { foremanOf, type RunAgent } from "./requested-run.ts";

/** The factory of runs whose request names none, where the settings name one. */
export interface DefaultFactory {
  /** As the settings name it; nothing where they name none. */
  readonly name: string | undefined;
  /** The factory that it stands for, if that is there. */
  find(): Promise<Factory | undefined>;
}

export interface AgentDeps {
  factories: Factories;
  identities: Pick<IdentityStore, "find">;
  defaultFactory: DefaultFactory;
}

/**
 * Who takes a run that a key asks for: the agent that is named, else the foreman of the factory that is named or that is
 * the only one that the key reaches or the server's default, else nobody (interface, Run requests). Nobody's runs have what no
 * factory has been given alone, so a key that is limited to some factories starts none of them.
 * @param asked a factory by its name or uid, an agent by its uid, or by its name within the factory
 * @throws MillraceError `invalid_request` for an agent or a factory that the key does not reach, or that do not belong together,
 * `conflict` for a default of the server, or the only factory of a limited key, that is not there or not in force
 */
export async function agentOfRun(
  key: ApiKey,
  {
    agentUid,
    agentName,
    factory,
  }: { agentUid?: string | undefined; agentName?: string | undefined; factory?: string | undefined },
  deps: AgentDeps,
): Promise<RunAgent | undefined> {
  const named = factory === undefined ? undefined : reachedFactory(key, factory, deps.factories);
  if (agentUid !== undefined) {
    if (agentName !== undefined)
      throw invalidField("agent", "specify either agent or agent_identity_uid, not both");
    const agent = await reachedAgent(key, agentUid, "agent_identity_uid", deps);
    if (!named || ("factory" in agent && agent.factory.uid === named.record.uid)) return agent;
    throw invalidField(
      "agent_identity_uid",
      `the agent does not belong to the factory ${JSON.stringify(factory)}`,
    );
  }
  const taker = named ?? (await factoryOfKey(key, "factory", deps));
  if (named && !named.active)
    throw invalidField("factory", `"${named.record.name}" has no applied definition yet`);
  if (taker && !taker.active && asksForDefault(key, deps))
    throw unusableDefault(
      deps,
      "has no applied definition yet",
      "Check its progress with `millrace status` and try again later",
    );
  if (taker && !taker.active && !reachesFactory(key, null)) throw noDefinition(taker);
  if (!taker?.active) {
    if (agentName === undefined) return undefined;
    throw invalidField("agent", "a run that belongs to no factory has no agent; specify a factory");
  }
  const { definition } = taker.active;
  if (agentName !== undefined && !definition.agents.some(({ name }) => name === agentName)) {
    throw invalidField(
      "agent",
      `the factory "${taker.record.name}" has no agent ${JSON.stringify(agentName)}`,
    );
  }
  return {
    factory: { uid: taker.record.uid, active: taker.active },
    agent: agentName ?? foremanOf(definition),
  };
}

/** A factory whose definition has never been valid has nobody who could take a run. */
export function noDefinition({ record }: Factory): MillraceError {
  return new MillraceError("conflict", `The factory "${record.name}" has no applied definition yet.`, {
    remedy: "Run `millrace status` to see its problems.",
    retryable: false,
  });
}

function reachedFactory(key: ApiKey, name: string, factories: Factories): Factory {
  const found = factories.find(name);
  if (found && reachesFactory(key, found.record.uid)) return found;
  throw invalidField("factory", `there is no factory ${JSON.stringify(name)}`);
}

/**
 * Where what runs an agent again and again belongs. Without an agent it is the only factory that the key reaches, and its
 * foreman is whoever is that when it runs.
 * @throws MillraceError `invalid_request` for an agent that the key does not reach; as `agentOfRun` for a limited key
 */
export async function placeOfAgent(
  key: ApiKey,
  agentUid: string | undefined,
  deps: AgentDeps,
): Promise<{ factoryUid: string | null; agentUid: string | null }> {
  if (agentUid === undefined) {
    return { factoryUid: (await factoryOfKey(key, "agent_uid", deps))?.record.uid ?? null, agentUid: null };
  }
  const agent = await reachedAgent(key, agentUid, "agent_uid", deps);
  return { factoryUid: "factory" in agent ? agent.factory.uid : null, agentUid };
}

/**
 * The only factory that a key reaches; of several, for an unlimited key, that of the settings.
 * @param field with which the request can name one
 */
async function factoryOfKey(
  key: ApiKey,
  field: "factory" | "agent_uid",
  { factories, defaultFactory }: Omit<AgentDeps, "identities">,
): Promise<Factory | undefined> {
  const reached = reachedBy(key, factories);
  const [only, another] = reached;
  if (!reachesFactory(key, null)) {
    if (!only) throw noneThere();
    if (another) throw severalReached(reached, field);
  }
  if (!another) return only;
  if (defaultFactory.name === undefined) return undefined;
  const found = await defaultFactory.find();
  if (found) return found;
  throw unusableDefault(
    { defaultFactory },
    "does not exist: a name always refers to the first factory that had it",
    "Set MILLRACE_DEFAULT_FACTORY to the uid of an existing factory",
  );
}

function severalReached(reached: readonly Factory[], field: "factory" | "agent_uid"): MillraceError {
  const names = reached.map(({ record }) => JSON.stringify(record.name)).join(", ");
  const wanted = field === "factory" ? "specify one of them" : "specify an agent of one of them";
  return invalidField(
    field,
    `the key can access several factories (${names}), so the request must ${wanted}`,
  );
}

function noneThere(): MillraceError {
  return new MillraceError(
    "conflict",
    "None of the factories that the API key is limited to is configured on this server, so no factory can take the run.",
    { remedy: "Use a key for a factory that `millrace factories list` shows.", retryable: false },
  );
}

/** Whether a key's run that names nobody is the default factory's. */
function asksForDefault(
  key: ApiKey,
  { factories, defaultFactory }: Pick<AgentDeps, "factories" | "defaultFactory">,
): boolean {
  return defaultFactory.name !== undefined && choosesOf(key, factories);
}

/** Whether a run that names nobody belongs to no factory because the settings name none of several. */
export function isBetweenFactories(
  key: ApiKey,
  { factories, defaultFactory }: Pick<AgentDeps, "factories" | "defaultFactory">,
): boolean {
  return defaultFactory.name === undefined && choosesOf(key, factories);
}

/** Whether a key's run could belong to one of several factories, or to none. */
function choosesOf(key: ApiKey, factories: Factories): boolean {
  return reachesFactory(key, null) && reachedBy(key, factories).length > 1;
}

function unusableDefault(
  { defaultFactory }: Pick<AgentDeps, "defaultFactory">,
  why: string,
  remedy: string,
): MillraceError {
  return new MillraceError(
    "conflict",
    `The server's default factory ${JSON.stringify(defaultFactory.name)} (MILLRACE_DEFAULT_FACTORY) ${why}.`,
    { remedy: `${remedy}, or specify a factory in the request.`, retryable: false },
  );
}

function reachedBy(key: ApiKey, factories: Factories): Factory[] {
  return factories.list().filter(({ record }) => reachesFactory(key, record.uid));
}

async function reachedAgent(
  key: ApiKey,
  uid: string,
  field: string,
  { factories, identities }: AgentDeps,
): Promise<RunAgent> {
  const defined = definedAgents(key, factories).find(({ resource }) => resource.uid === uid);
  if (defined) {
    return { factory: { uid: defined.factory.uid, active: defined.active }, agent: defined.agent.name };
  }
  const identity = reachesFactory(key, null) ? await identities.find(uid) : undefined;
  if (!identity) {
    throw new MillraceError("invalid_request", `${field}: there is no agent ${JSON.stringify(uid)}.`, {
      remedy: "`millrace agents list` shows the agents that the key can access.",
      extra: { field },
    });
  }
  return { identity: withoutCredentials(identity, factories.list()) };
}

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
