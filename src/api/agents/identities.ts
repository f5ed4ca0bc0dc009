import type { Models } from "../../client/typed-paths.ts";
import { recordTag } from "../../concurrency/record-tag.ts";
import type { Config } from "../../config/config.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import { PRICE_LISTS } from "../../insight/list-prices.ts";
import { type ApiKey, reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { agentConfig, runExecution } from "../../runs/agents/agent-config.ts";
import type {
  AgentIdentity,
  IdentityConfig,
  IdentityProfile,
  IdentityStore,
} from "../../runs/agents/agent-identity.ts";
import type { Caller } from "../../runs/caller.ts";
import type { AmbientAgentConfig } from "../../runs/run-config.ts";
import type { RunSummaryStore } from "../../runs/run-query.ts";
import { type DefinedAgent, definedAgents, seesIdentities } from "../../runs/start/agent-of-run.ts";
import {
  type ConfigDeps,
  checkAgentConfig,
  checkHarness,
  refuseUnsupported,
  withKnownHarness,
} from "../../runs/start/check-request.ts";
import { secretNamesIn, secretReferences } from "../admin/secrets.ts";
import {
  type BodyOf,
  type Called,
  changedMeanwhile,
  type Endpoints,
  expectedTags,
  keyOf,
  uidInPath,
  unlimitedKeyOf,
  withoutUndefined,
} from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import { MAX_COUNTED_RUNS } from "../models/activity.ts";
import { MODEL_PROVIDERS } from "../models/agents.ts";
import type { RunDeps } from "../runs/find-run.ts";
import { runSummaryView, visibleConfig } from "../runs/run-item.ts";
import type { EnvironmentDeps } from "./environments.ts";

export interface IdentityDeps extends AgentActivityDeps {
  identities: IdentityStore;
  environments: EnvironmentDeps["environments"];
  answers: ConfigDeps["answers"];
  hasHarness: RunDeps["hasHarness"];
  factories: Factories;
  cursors: Cursors;
  config: Pick<Config, "prices">;
  now: () => Date;
}

const PROVIDERS = new Map(
  PRICE_LISTS.flatMap(({ provider, prices }) => Object.keys(prices).map((id) => [id, provider] as const)),
);

function modelView(id: string): Models["ListedModel"] {
  const known = PROVIDERS.get(id)?.toUpperCase();
  const provider = MODEL_PROVIDERS.find((each) => each === known) ?? "UNKNOWN";
  // Nobody has told the server another name of it.
  return { id, display_name: id, provider };
}

export function identityEndpoints(deps: IdentityDeps) {
  const { identities, factories, cursors, config, now } = deps;
  return {
    listIdentities: {
      async handle(request) {
        const key = keyOf(request);
        const { factory_uid: of } = request.query;
        // What the API has made belongs to no factory.
        const own = seesIdentities(key) && of === undefined ? await identities.list() : [];
        const defined = definedAgents(key, factories);
        const wanted = of === undefined ? defined : defined.filter(({ factory }) => factory.uid === of);
        const all = [
          ...wanted.map((agent) => definedView(agent, request.caller)),
          ...own.map((identity) => identityView(identity, request.caller)),
        ];
        const { items, pageInfo } = pageOf(all, ({ name, uid }) => `${name}\0${uid}`, request, cursors);
        return { json: { agents: items, page_info: pageInfo } };
      },
    },
    /** Runs may name any model that their program knows: these are the ones that the server knows of. */
    listModels: {
      async handle(request) {
        const key = keyOf(request);
        const definitions = factories
          .list()
          .flatMap(({ record, active }) =>
            active && reachesFactory(key, record.uid) ? [active.definition] : [],
          );
        const defined = definitions.flatMap(({ agents, automations }) =>
          [...agents, ...automations].map(({ execution }) => execution.harness.model),
        );
        const own = seesIdentities(key) ? await identities.list() : [];
        const named = [...defined, ...own.map(({ config: { model_id } }) => model_id)];
        const ids = [...named, ...Object.keys(config.prices), ...PROVIDERS.keys()];
        const known = new Set(ids.flatMap((id) => id || []));
        return { json: { models: [...known].sort().map(modelView) } };
      },
    },
    createIdentity: {
      async handle(request) {
        const key = unlimitedKeyOf(request);
        const { name, description, secrets, skills } = request.body;
        const at = now().toISOString();
        const identity: AgentIdentity = {
          uid: newUid(),
          name,
          description: description || null,
          secrets: secretNamesIn(secrets ?? []),
          skills: skills ?? [],
          config: await newIdentityConfig(request.body, key, deps),
          createdAt: at,
          updatedAt: at,
        };
        if (!(await identities.create(identity))) throw nameTaken(name);
        return { status: 201, json: identityView(identity, request.caller), etag: recordTag(identity) };
      },
    },
    getIdentity: {
      async handle(request) {
        const key = keyOf(request);
        const uid = uidInPath(request);
        const defined = definedAgent(key, uid, factories);
        if (defined) return { json: definedView(defined, request.caller) };
        const identity = seesIdentities(key) ? await identities.find(uid) : undefined;
        if (!identity) throw missing(uid);
        return { json: identityView(identity, request.caller), etag: recordTag(identity) };
      },
    },
    updateIdentity: {
      async handle(request) {
        const uid = changeableUid(request, factories);
        const config = await identityConfig(request.body, keyOf(request), deps);
        const changes = { ...changesIn(request.body), config };
        const updated = await identities.update(uid, changes, now().toISOString(), expectedTags(request));
        if (updated === "changed") throw changedMeanwhile();
        if (updated === "name_taken") throw nameTaken(changes.name ?? "");
        if (!updated) throw missing(uid);
        return { json: identityView(updated, request.caller), etag: recordTag(updated) };
      },
    },
    deleteIdentity: {
      async handle(request) {
        const uid = changeableUid(request, factories);
        const removed = await identities.remove(uid, now().toISOString(), expectedTags(request));
        if (removed === "changed") throw changedMeanwhile();
        if (!removed) throw missing(uid);
        return { status: 204 };
      },
    },
    ...agentActivityEndpoints(deps),
  } satisfies Endpoints;
}

function definedAgent(key: ApiKey, uid: string, factories: Factories): DefinedAgent | undefined {
  return definedAgents(key, factories).find(({ resource }) => resource.uid === uid);
}

/** @throws MillraceError `conflict` for an agent of a definition, `resource_not_found` for what the key does not see */
function changeableUid(request: Called & { path: { uid: string } }, factories: Factories): string {
  const key = keyOf(request);
  const uid = uidInPath(request);
  const defined = definedAgent(key, uid, factories);
  if (defined) {
    const { agent, factory } = defined;
    throw new MillraceError(
      "conflict",
      `The agent "${agent.name}" is read-only here: it is defined in ${agent.path} of the factory "${factory.name}".`,
      { remedy: `Edit ${agent.path} in the definition of that factory.`, retryable: false },
    );
  }
  if (seesIdentities(key)) return uid;
  throw missing(uid);
}

function missing(uid: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no agent "${uid}".`, {
    remedy: "`millrace agents list` shows the agents that the key can access.",
  });
}

function nameTaken(name: string): MillraceError {
  return new MillraceError("conflict", `An agent named "${name}" was already created through the API.`, {
    remedy: "Choose another name, or change the existing agent.",
    retryable: false,
    extra: { field: "name" },
  });
}

/** What is left out or null stays as it is; an empty value clears. */
function changesIn({
  name,
  description,
  secrets,
  skills,
}: BodyOf<"updateIdentity">): Partial<IdentityProfile> {
  return {
    ...(name == null ? {} : { name }),
    ...(description == null ? {} : { description: description || null }),
    ...(secrets == null ? {} : { secrets: secretNamesIn(secrets) }),
    ...(skills == null ? {} : { skills }),
  };
}

type Body = BodyOf<"createIdentity" | "updateIdentity">;

/** What of the public API this server has no other value for, with the values that ask for just that. */
const FIXED: readonly (readonly [field: keyof Body, isAsked: (body: Body) => boolean])[] = [
  ["agent_type", ({ agent_type }) => agent_type !== "CUSTOM" && agent_type !== ""],
  ["credential_strategy", ({ credential_strategy }) => credential_strategy !== "EXECUTOR"],
  ["default_runner_uid", ({ default_runner_uid }) => default_runner_uid !== ""],
  ["factory_uid", ({ factory_uid }) => factory_uid !== ""],
  ["inference_providers", ({ inference_providers }) => isFilled(inference_providers)],
  // There are no memory stores: to have none is what everybody gets.
  ["memory", ({ memory }) => isFilled(memory?.attached_stores) || memory?.auto_memory?.enabled === true],
  ["on_behalf_of_enabled", ({ on_behalf_of_enabled }) => on_behalf_of_enabled === true],
];

/**
 * What a request changes of how the runs of an agent execute: what is left out or null stays, an empty value clears.
 * @throws MillraceError for what this server cannot do, or an environment that is not there
 */
async function identityConfig(
  body: Body,
  key: ApiKey,
  deps: ConfigDeps & Pick<RunDeps, "hasHarness">,
): Promise<IdentityConfig> {
  refuseFixed(body);
  const { harness_auth_secrets, environment_id, mcp_servers, worker_host } = body;
  const config = withoutNull({
    base_prompt: body.prompt,
    model_id: body.base_model,
    harness: harnessOf(body),
    harness_auth_secrets,
    environment_id,
    mcp_servers,
    worker_host,
  });
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)));
  refuseUnsupported({ config: given }, "");
  await checkAgentConfig(given, "", key, deps);
  checkHarness(given, "", deps);
  return withKnownHarness(config);
}

/** What is null stays as what is left out does. */
function withoutNull<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const given = Object.entries(members).filter(([, value]) => value != null);
  // Entries have lost which value belongs to which name.
  return Object.fromEntries(given) as never;
}

/** Older clients name the program beside the model. */
function harnessOf({ harness, base_harness }: Body) {
  if (base_harness == null || base_harness === "") return harness;
  return { type: base_harness, ...harness };
}

function refuseFixed(body: Body): void {
  const asked = FIXED.find(([field, isAsked]) => body[field] != null && isAsked(body));
  if (!asked) return;
  const [field] = asked;
  throw new MillraceError("operation_not_supported", `${field} cannot be set for an agent of this server.`, {
    remedy: `Omit ${field}. The definition sets an agent's type and runner.`,
    extra: { field },
  });
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Clears what it is sent for. */
function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && !isFilled(value));
}

/** How the runs of a new agent execute: there is nothing to clear. @throws MillraceError as `identityConfig` does */
async function newIdentityConfig(...request: Parameters<typeof identityConfig>): Promise<IdentityConfig> {
  const config = await identityConfig(...request);
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)));
}

/** What this server has of what the public API tells of every agent. */
const OF_EVERY_AGENT: Pick<Models["AgentResponse"], "available" | "credential_strategy" | "memory"> = {
  available: true,
  credential_strategy: "EXECUTOR",
  memory: { attached_stores: [], auto_memory: { enabled: false } },
};

/** An agent that the API has made, in the shape of the public API. */
function identityView(identity: AgentIdentity, caller: Caller): Models["AgentResponse"] {
  const { uid, name, description, secrets, skills, config, createdAt, updatedAt } = identity;
  return {
    uid,
    name,
    description,
    ...OF_EVERY_AGENT,
    created_at: createdAt,
    updated_at: updatedAt,
    secrets: secretReferences(secrets),
    skills,
    agent_type: "CUSTOM",
    default_runner_uid: "",
    ...defaultsView(visibleConfig(config, caller)),
  };
}

/** An agent of a definition, in the shape of the public API. */
function definedView(
  { agent, resource, factory, active: { definition } }: DefinedAgent,
  caller: Caller,
): Models["AgentResponse"] {
  const skills = definition.skills.filter((skill) => (skill.agent ?? agent.name) === agent.name);
  const config = agentConfig(agent.name, agent, agent.execution, definition.factory.mcpServers);
  return {
    uid: resource.uid,
    name: agent.name,
    description: agent.description ?? null,
    ...OF_EVERY_AGENT,
    created_at: resource.createdAt,
    updated_at: resource.updatedAt,
    secrets: secretReferences(runExecution(definition, agent.execution).secrets),
    skills: [...new Set(skills.map(({ name }) => name))],
    factory_uid: factory.uid,
    agent_type: agent.type,
    default_runner_uid: config.runner_id ?? "",
    ...defaultsView(visibleConfig(config, caller)),
  };
}

function defaultsView(config: AmbientAgentConfig) {
  const { base_prompt: prompt, model_id: base_model, harness } = config;
  const { harness_auth_secrets, environment_id, mcp_servers, worker_host } = config;
  return withoutUndefined({
    prompt,
    base_model,
    base_harness: harness?.type,
    harness,
    harness_auth_secrets,
    environment_id,
    mcp_servers,
    worker_host,
  });
}

interface AgentActivityDeps {
  runSummaries: RunSummaryStore;
  identities: Pick<IdentityStore, "list">;
  factories: Factories;
}

/** How the runs of agents went. */
function agentActivityEndpoints({ runSummaries, identities, factories }: AgentActivityDeps) {
  return {
    listAgentActivity: {
      async handle(request) {
        const key = keyOf(request);
        const own = seesIdentities(key) ? await identities.list() : [];
        const agents = [
          ...definedAgents(key, factories).map(({ agent, resource, factory }) => ({
            uid: resource.uid,
            name: agent.name,
            factory: factory.name,
            factory_uid: factory.uid,
          })),
          ...own.map(({ uid, name }) => ({ uid, name, factory: null, factory_uid: null })),
        ];
        const uids = agents.map(({ uid }) => uid);
        const [summaries, counts] = await Promise.all([
          runSummaries.listSummaries({ by: "agent", uids }),
          runSummaries.listRunCounts(uids, MAX_COUNTED_RUNS + 1),
        ]);
        const summaryOf = new Map(summaries.map((summary) => [summary.uid, summary]));
        return {
          json: {
            agents: agents.map((agent) => ({
              ...agent,
              ...runSummaryView(summaryOf.get(agent.uid), key),
              runs: Math.min(counts[agent.uid] ?? 0, MAX_COUNTED_RUNS),
              has_more_runs: (counts[agent.uid] ?? 0) > MAX_COUNTED_RUNS,
            })),
          },
        };
      },
    },
  } satisfies Endpoints;
}
