import type { Models } from "../../client/typed-paths.ts";
import { recordTag } from "../../concurrency/record-tag.ts";
import type { Config } from "../../config/config.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import { PRICE_LISTS } from "../../insight/list-prices.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { AgentIdentity, IdentityProfile, IdentityStore } from "../../runs/agents/agent-identity.ts";
import { secretNamesIn } from "../admin/secret-references.ts";
import { reachesFactory } from "../http/authorize.ts";
import type { Cursors } from "../http/cursor.ts";
import { type BodyOf, type Called, type Endpoints, keyOf, unlimitedKeyOf } from "../http/endpoint.ts";
import { changedMeanwhile, expectedTags } from "../http/if-match.ts";
import { pageOf } from "../http/page.ts";
import { uidInPath } from "../http/resource-id.ts";
import type { RunDeps } from "../runs/run-deps.ts";
import { type AgentActivityDeps, agentActivityEndpoints } from "./agent-activity.ts";
import { type DefinedAgent, definedAgents, seesIdentities } from "./defined-agents.ts";
import type { EnvironmentDeps } from "./environments.ts";
import { identityConfig, newIdentityConfig } from "./identity-config.ts";
import { MODEL_PROVIDERS } from "./identity-models.ts";
import { definedView, identityView } from "./identity-view.ts";

export interface IdentityDeps extends AgentActivityDeps {
  identities: IdentityStore;
  environments: EnvironmentDeps["environments"];
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
