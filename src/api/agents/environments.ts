import type { Models } from "../../client/typed-paths.ts";
import { recordTag } from "../../concurrency/record-tag.ts";
import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Runner } from "../../definitions/definition.ts";
import { EXPECTED_IMAGE, isImageReference, shownImage } from "../../definitions/image-reference.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type {
  CloudEnvironment,
  EnvironmentConfig,
  EnvironmentStore,
} from "../../runs/agents/cloud-environment.ts";
import type { Vault } from "../../secrets/vault.ts";
import { secretNamesIn, secretReferences } from "../admin/secrets.ts";
import { findFactory } from "../factories/factories.ts";
import {
  type BodyOf,
  type Called,
  changedMeanwhile,
  type Endpoints,
  expectedTags,
  keyOf,
  uidInPath,
  unlimitedKeyOf,
} from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import { creatorInfo } from "../runs/run-item.ts";

export interface EnvironmentDeps {
  environments: EnvironmentStore;
  cursors: Cursors;
  vault: Pick<Vault, "open">;
  now: () => Date;
}

/** Environments are the team's and belong to no factory, so a key that is limited to some does not see them. */
export function environmentEndpoints({ environments, cursors, vault, now }: EnvironmentDeps) {
  /** Runs go without a secret that is not there, so whoever looks at the environment is told. */
  async function environmentView(environment: CloudEnvironment) {
    const { secrets } = environment.config;
    const known = await vault.open(secrets, { agentsOf: null });
    const missing = secrets.filter((name) => !known.has(name));
    return { ...viewOf(environment), ...(missing.length > 0 && { missing_secrets: missing }) };
  }

  return {
    listEnvironments: {
      async handle(request) {
        const all = seesEnvironments(request) ? await environments.list() : [];
        const position = request.query.sort_by === "name" ? nameOf : lastUpdatedFirst;
        const { items, pageInfo } = pageOf(all, position, request, cursors);
        return { json: { environments: await Promise.all(items.map(environmentView)), page_info: pageInfo } };
      },
    },
    createEnvironment: {
      async handle(request) {
        const { principal } = unlimitedKeyOf(request);
        const at = now().toISOString();
        const environment: CloudEnvironment = {
          uid: newUid(),
          config: configOf(request.body),
          creator: principal,
          lastEditor: principal,
          createdAt: at,
          updatedAt: at,
        };
        if (!(await environments.create(environment))) throw nameTaken(environment.config.name);
        return { status: 201, json: await environmentView(environment), etag: recordTag(environment) };
      },
    },
    getEnvironment: {
      async handle(request) {
        const uid = uidInPath(request);
        const found = seesEnvironments(request) ? await environments.find(uid) : undefined;
        if (!found) throw missing(uid);
        return { json: await environmentView(found), etag: recordTag(found) };
      },
    },
    updateEnvironment: {
      async handle(request) {
        const uid = uidInPath(request);
        if (!seesEnvironments(request)) throw missing(uid);
        const config = configOf(request.body);
        const edit = { config, editor: keyOf(request).principal, at: now().toISOString() };
        const updated = await environments.update(uid, { ...edit, expected: expectedTags(request) });
        if (updated === "changed") throw changedMeanwhile();
        if (updated === "name_taken") throw nameTaken(config.name);
        if (!updated) throw missing(uid);
        return { json: await environmentView(updated), etag: recordTag(updated) };
      },
    },
    deleteEnvironment: {
      async handle(request) {
        const uid = uidInPath(request);
        if (!seesEnvironments(request)) throw missing(uid);
        const removed = await environments.remove(uid, expectedTags(request));
        if (removed === "changed") throw changedMeanwhile();
        if (!removed) throw missing(uid);
        return { status: 204 };
      },
    },
  } satisfies Endpoints;
}

function seesEnvironments(request: Called): boolean {
  return reachesFactory(keyOf(request), null);
}

const nameOf = ({ config }: CloudEnvironment) => config.name;

/** Positions rise while instants fall. */
function lastUpdatedFirst({ updatedAt, uid }: CloudEnvironment): string {
  const rest = Number.MAX_SAFE_INTEGER - Date.parse(updatedAt);
  return `${rest} ${uid}`;
}

function missing(uid: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no environment "${uid}".`, {
    remedy: "`millrace environments list` shows the environments that the key can access.",
  });
}

function nameTaken(name: string): MillraceError {
  return new MillraceError("conflict", `An environment named "${name}" already exists.`, {
    remedy: "Choose another name, or change the existing environment.",
    retryable: false,
    extra: { field: "name" },
  });
}

function configOf(body: BodyOf<"createEnvironment" | "updateEnvironment">): EnvironmentConfig {
  const image = body.docker_image;
  if (image !== undefined && !isImageReference(image)) {
    throw new MillraceError(
      "invalid_request",
      `docker_image: ${EXPECTED_IMAGE}, found ${shownImage(image)}`,
      {
        remedy: "Specify the image's host, path, and tag or digest, without options.",
        extra: { field: "docker_image" },
      },
    );
  }
  return {
    name: body.name,
    description: body.description || null,
    dockerImage: image ?? null,
    repositories: (body.github_repos ?? []).map(({ owner, repo }) => ({ owner, name: repo })),
    setupCommands: body.setup_commands ?? [],
    cacheSetup: body.cache_setup ?? null,
    secrets: secretNamesIn(body.secrets ?? []),
  };
}

function viewOf({
  uid,
  config,
  creator,
  lastEditor,
  createdAt,
  updatedAt,
}: CloudEnvironment): Models["CloudEnvironment"] {
  return {
    uid,
    config: {
      name: config.name,
      description: config.description,
      ...(config.dockerImage === null ? {} : { docker_image: config.dockerImage }),
      github_repos: config.repositories.map(({ owner, name }) => ({ owner, repo: name })),
      setup_commands: config.setupCommands,
      ...(config.cacheSetup === null ? {} : { cache_setup: config.cacheSetup }),
      secrets: secretReferences(config.secrets),
    },
    created_at: createdAt,
    last_updated: updatedAt,
    setup_failed: false,
    creator: creatorInfo(creator),
    last_editor: creatorInfo(lastEditor),
    scope: { type: "Team" },
  };
}

export interface RunnerDeps {
  factories: Factories;
  cursors: Cursors;
}

export function runnerEndpoints({ factories, cursors }: RunnerDeps) {
  return {
    listRunners: {
      async handle(request) {
        const { active } = findFactory(request, factories);
        const live = active?.resources.filter(({ kind, deleted }) => kind === "runner" && !deleted) ?? [];
        const { items, pageInfo } = pageOf(live, ({ name }) => name, request, cursors);
        return { json: { runners: items.map(runnerView), page_info: pageInfo } };
      },
    },
  } satisfies Endpoints;
}

function runnerView(resource: StoredResource) {
  const { description, dockerImage, setupCommands, instanceShape } = JSON.parse(resource.body) as Runner;
  return {
    uid: resource.uid,
    name: resource.name,
    description: description ?? null,
    docker_image: dockerImage ?? null,
    setup_commands: setupCommands,
    instance_shape: instanceShape ? { vcpus: instanceShape.vcpus, memory_gb: instanceShape.memoryGb } : null,
    defined_in: { path: resource.path, url: null },
    updated_at: resource.updatedAt,
  };
}
