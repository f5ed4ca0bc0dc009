import { basename } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Definition, OWN_SERVER, type RepositoryReference } from "../../definitions/definition.ts";
import { canonicalHarness } from "../../definitions/inherit.ts";
import { workerHostProblem } from "../../definitions/worker-host.ts";
import { invalidField, MillraceError } from "../../errors/error.ts";
import { isOfRepository, type RequestedCheckout } from "../../git/checkout.ts";
import { isReference } from "../../git/fetch-reference.ts";
import { isUid } from "../../id.ts";
import { entryProblems } from "../../network/network-rule.ts";
import { type ApiKey, reachesFactory } from "../../principals/principal.ts";
import type { EnvironmentStore } from "../agents/cloud-environment.ts";
import type { AnswerChecker } from "../answers/answer-checker.ts";
import { type ArtifactBytes, openIntact } from "../output/artifact-bytes.ts";
import { checkAttachmentNames } from "../output/attachment-name.ts";
import type { Artifact } from "../rules/artifact.ts";
import type { NewAttachment, Run } from "../run.ts";
import type { AmbientAgentConfig } from "../run-config.ts";
import type { RunStore } from "../run-store.ts";

/** What a request for a run says, in the form of the public API. */
export interface RunBody {
  prompt?: string;
  mode?: "normal" | "plan" | "orchestrate";
  skill?: string;
  config?: AmbientAgentConfig & UnsupportedConfig;
  title?: string;
  team?: boolean;
  agent_identity_uid?: string;
  agent?: string;
  factory?: string;
  on_behalf_of?: string;
  attachments?: { file_name: string; mime_type: string; data: string }[];
  images?: { mime_type: string; data: string }[];
  artifacts?: string[];
  checkout?: { ref: string; repository?: string };
  parent_run_id?: string;
  interactive?: boolean;
  metadata?: Record<string, string>;
}

/** A prompt, or a message to a run, has at most a mebibyte. */
const MAX_PROMPT_BYTES = 1024 * 1024;

/** @throws MillraceError `payload_too_large` for a text that is too long to be asked of an agent */
export function checkPromptSize(text: string | undefined, field: string): void {
  const bytes = Buffer.byteLength(text ?? "");
  if (bytes <= MAX_PROMPT_BYTES) return;
  throw new MillraceError(
    "payload_too_large",
    `${field}: expected at most ${MAX_PROMPT_BYTES} bytes, found ${bytes}.`,
    { remedy: "Send long text as an attachment.", extra: { field } },
  );
}

export interface ConfigDeps {
  environments: Pick<EnvironmentStore, "find">;
  answers: Pick<AnswerChecker, "schemaProblem">;
}

/**
 * Holds the configuration that a request brings against what its schema cannot say.
 * @param place what it is called in the request; empty for the request itself
 * @throws MillraceError that names the field
 */
export async function checkAgentConfig(
  config: AmbientAgentConfig | undefined | null,
  place: string,
  key: ApiKey,
  { environments, answers }: ConfigDeps,
): Promise<void> {
  if (!config) return;
  const at = (key: string) => (place === "" ? key : `${place}.${key}`);
  if (config.skill_spec !== undefined && config.skills !== undefined) {
    throw invalidField(at("skills"), "skill_spec and skills have the same meaning; specify only one of them");
  }
  checkPromptSize(config.base_prompt, at(place === "" ? "prompt" : "base_prompt"));
  if (config.mcp_servers && OWN_SERVER in config.mcp_servers) {
    const place = at(`mcp_servers.${OWN_SERVER}`);
    throw invalidField(place, `the name ${OWN_SERVER} stands for this server's own tools; use another name`);
  }
  const wrongHost = workerHostProblem(config.worker_host ?? "");
  if (wrongHost !== undefined) throw invalidField(at("worker_host"), wrongHost);
  const [wrong] = typeof config.network === "object" ? entryProblems(config.network.allow) : [];
  if (wrong) throw invalidField(at(`network.allow[${wrong.index}]`), wrong.problem);
  if (config.output_schema !== undefined) {
    const problem = await answers.schemaProblem(config.output_schema);
    if (problem) throw invalidField(at(["output_schema", ...problem.at].join(".")), problem.message);
  }
  const { environment_id: uid } = config;
  if (uid === undefined) return;
  // Environments belong to no factory: a key that is limited to some does not see them.
  if (isUid(uid) && reachesFactory(key, null) && (await environments.find(uid))) return;
  throw invalidField(at("environment_id"), `there is no environment ${JSON.stringify(uid)}`);
}

/** A configuration with the name that its harness has here, where the request calls it by another public one. */
export function withKnownHarness(config: AmbientAgentConfig): AmbientAgentConfig {
  const { harness } = config;
  if (harness?.type === undefined) return config;
  return { ...config, harness: { ...harness, type: canonicalHarness(harness.type) } };
}

/**
 * Holds what a request names against the server and the definition: a run could only fail by it.
 * @param place what the configuration is called in the request; empty for the request itself
 * @throws MillraceError `invalid_request` that names the field
 */
export function checkHarness(
  { harness }: AmbientAgentConfig,
  place: string,
  { hasHarness }: { hasHarness(type: string): boolean },
): void {
  if (harness?.type === undefined || hasHarness(canonicalHarness(harness.type))) return;
  const field = place === "" ? "harness.type" : `${place}.harness.type`;
  throw invalidField(field, `this server has no harness ${JSON.stringify(harness.type)}`);
}

/** @throws MillraceError `invalid_request` for a runner that the factory does not have; without one there are none */
export function checkRunner(
  { runner_id: runner }: AmbientAgentConfig,
  place: string,
  definition: Pick<Definition, "runners"> | undefined,
): void {
  if (runner === undefined) return;
  const runners = definition?.runners ?? [];
  if (runners.some(({ name }) => name === runner)) return;
  throw invalidField(`${place}.runner_id`, `the factory of the run has no runner ${JSON.stringify(runner)}`);
}

/** The keys of a configuration that this server cannot do. */
export interface UnsupportedConfig {
  session_sharing?: object;
  memory_stores?: object[];
  inference_providers?: object;
  credential_strategy?: "CREATOR" | "EXECUTOR" | null;
  experimental?: object;
}

/** What a request says of runs, as far as it could ask for what this server cannot do. */
type Body = {
  [Name in "mode" | "team" | "on_behalf_of" | "interactive"]?: RunBody[Name] | undefined;
} & { config?: UnsupportedConfig | undefined };

type Unsupported = readonly [field: string, isAsked: (body: Body) => boolean, instead: string];

/**
 * Keys of the public API that would change what runs, and that this server cannot do. A value that asks for nothing, or
 * for what happens anyway, is taken.
 */
const UNSUPPORTED: readonly Unsupported[] = [
  [
    "mode",
    ({ mode }) => (mode ?? "normal") !== "normal",
    "Omit it: only a run that is created with an API key can have another mode.",
  ],
  ["team", ({ team }) => team === false, "Omit it: every run belongs to the team."],
  ["on_behalf_of", ({ on_behalf_of }) => !!on_behalf_of, "Use that person's API key."],
  ["interactive", ({ interactive }) => interactive === true, "Omit it, and steer the run with follow-ups."],
  ...inConfig(
    "session_sharing",
    isFilled,
    "Omit it: anyone who has the link of a run sees only its title and state.",
  ),
  ...inConfig("memory_stores", isFilled, "Omit it: memory stores are not supported."),
  ...inConfig("inference_providers", isFilled, "Configure the provider in the harness."),
  ...inConfig(
    "credential_strategy",
    (value) => value === "CREATOR",
    "Omit it: agents use their own credentials.",
  ),
  ...inConfig("experimental", isFilled, "Omit it."),
];

function inConfig<Key extends keyof UnsupportedConfig>(
  key: Key,
  isAsked: (value: UnsupportedConfig[Key] | undefined) => boolean,
  instead: string,
): Unsupported[] {
  return [[`config.${key}`, ({ config }) => isAsked(config?.[key]), instead]];
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** An empty place is the request itself. */
function placed(field: string, place: string): string {
  return field.replace(/^config\./, place === "" ? "" : `${place}.`);
}

/**
 * @param place what the configuration is called in the request, when that is not `config`
 * @throws MillraceError `operation_not_supported` that names every such key of a request
 */
export function refuseUnsupported(body: Body, place = "config"): void {
  const asked = UNSUPPORTED.filter(([, isAsked]) => isAsked(body)).map(
    ([field, isAsked, instead]): Unsupported => [placed(field, place), isAsked, instead],
  );
  const [first] = asked;
  if (!first) return;
  const errors = asked.map(([field]) => ({ field, message: `"${field}" is not supported here` }));
  throw new MillraceError(
    "operation_not_supported",
    `This server does not support these settings of the request: ${errors.map(({ field }) => field).join(", ")}.`,
    {
      remedy: asked.map(([field, , instead]) => `${field}: ${instead}`).join(" "),
      extra: { field: first[0], errors },
    },
  );
}

const MAX_ATTACHMENTS = 5;

interface AttachmentDeps {
  runs: Pick<RunStore, "listArtifacts">;
  artifacts: ArtifactBytes;
}

/**
 * All files that a run is started with: those of the request, and those that its parent has left.
 * @throws MillraceError `invalid_request` for too many, for names that no workspace can have, and for artifacts that are not there
 */
export async function requestedAttachments(
  body: RunBody,
  parent: Pick<Run, "id"> | undefined,
  deps: AttachmentDeps,
): Promise<NewAttachment[]> {
  const sent = [...(body.attachments ?? []), ...namedImages(body)];
  const { artifacts = [] } = body;
  if (sent.length + artifacts.length > MAX_ATTACHMENTS) {
    const field = artifacts.length > 0 ? "artifacts" : "images";
    throw invalidField(
      field,
      `expected at most ${MAX_ATTACHMENTS} attachments, images and artifacts in total`,
    );
  }
  const attachments = [
    ...sent.map(({ file_name, mime_type, data }): NewAttachment => {
      return { name: file_name, mimeType: mime_type, content: Buffer.from(data, "base64") };
    }),
    ...(await parentArtifacts(artifacts, parent, deps)),
  ];
  checkAttachmentNames(attachments.map(({ name }) => name));
  return attachments;
}

/** Images as older clients send them, which have no names. */
function namedImages({ images = [] }: RunBody) {
  return images.map((image, index) => ({
    ...image,
    file_name: `image-${index + 1}.${image.mime_type.split("/")[1]}`,
  }));
}

/** Of all of them together: attachments are kept in the store. */
const MAX_BYTES = 8 * 1024 * 1024;
/** So many are named in an error. */
const MAX_NAMED = 20;

/**
 * Files that a run has left, as attachments of a run that it starts. Of the files that several turns have left at one path, the
 * last one counts.
 * @param wanted their paths or UIDs
 * @throws MillraceError `invalid_request` that names what is not there, `payload_too_large`
 */
async function parentArtifacts(
  wanted: readonly string[],
  parent: Pick<Run, "id"> | undefined,
  { runs, artifacts: kept }: AttachmentDeps,
): Promise<NewAttachment[]> {
  if (wanted.length === 0) return [];
  if (!parent) throw invalidField("artifacts", "requires parent_run_id, the run whose artifacts they are");
  const left = (await runs.listArtifacts([parent.id]))[parent.id] ?? [];
  const found = wanted.map((name, index) => findFile(left, name) ?? missing(name, index, left, parent));
  const bytes = found.reduce((sum, { data }) => sum + (data.size_bytes ?? 0), 0);
  if (bytes > MAX_BYTES) {
    throw new MillraceError(
      "payload_too_large",
      `The artifacts are ${bytes} bytes; the limit is ${MAX_BYTES}.`,
      {
        remedy: "Pass smaller files, or have the new run clone the repository that they come from.",
        extra: { field: "artifacts" },
      },
    );
  }
  return Promise.all(found.map((artifact) => attachmentOf(artifact, parent, kept)));
}

function findFile(left: readonly Artifact[], name: string): Artifact | undefined {
  return left.findLast(({ id, type, data }) => type === "FILE" && (data.filepath === name || id === name));
}

async function attachmentOf(
  { id, data }: Artifact,
  parent: Pick<Run, "id">,
  kept: ArtifactBytes,
): Promise<NewAttachment> {
  const path = data.filepath ?? id;
  const file = await openIntact(kept, { runId: parent.id, fileId: id }, data.sha256);
  if (!file) throw invalidField("artifacts", `the file of the artifact ${JSON.stringify(path)} was deleted`);
  const content = await buffer(file.bytes);
  return { name: basename(path), mimeType: data.mime_type ?? "application/octet-stream", content };
}

function missing(name: string, index: number, left: readonly Artifact[], { id }: Pick<Run, "id">): never {
  const paths = left.flatMap(({ type, data }) => (type === "FILE" ? [data.filepath ?? ""] : []));
  throw new MillraceError(
    "invalid_request",
    `artifacts[${index}]: run ${id} has no file artifact ${JSON.stringify(name)}.`,
    {
      remedy:
        paths.length === 0
          ? "It has none: report a file first, with `millrace agent report file PATH`."
          : `It has ${paths.slice(-MAX_NAMED).join(", ")}.`,
      extra: { field: `artifacts[${index}]` },
    },
  );
}

/**
 * Where a run that is requested is checked out, in the form in which it is recorded.
 * @param repositories those that the run is going to have
 * @throws MillraceError `invalid_request` for what is no ref, and when it is not clear which repository is meant
 */
export function requestedCheckout(
  asked: RunBody["checkout"],
  repositories: readonly RepositoryReference[],
): { requestedCheckout?: RequestedCheckout } {
  if (asked === undefined) return {};
  const { ref, repository } = asked;
  if (!isReference(ref)) {
    throw invalidField(
      "checkout.ref",
      `${JSON.stringify(ref)} cannot be the name of a branch or tag, a commit, or a full name such as refs/pull/7/head`,
    );
  }
  const { owner, name } = repositoryOf(repository, repositories);
  return { requestedCheckout: { repository: `${owner}/${name}`, ref } };
}

function repositoryOf(
  named: string | undefined,
  repositories: readonly RepositoryReference[],
): RepositoryReference {
  const [only, another] = repositories;
  if (!only) {
    throw new MillraceError("invalid_request", "checkout: the run would have no repository to check out.", {
      remedy: "Omit it, or list the repository in factory.yaml or in the environment of the agent.",
      extra: { field: "checkout" },
    });
  }
  if (named === undefined && !another) return only;
  const found = named && repositories.find((each) => isOfRepository(each, { repository: named }));
  if (found) return found;
  const names = repositories.map(({ owner, name }) => `${owner}/${name}`).join(", ");
  const wrong = named === undefined ? "missing" : `${JSON.stringify(named)} is not a repository of the run`;
  throw invalidField("checkout.repository", `${wrong}; expected one of ${names}`);
}
