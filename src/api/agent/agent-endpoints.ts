import { createHash } from "node:crypto";
import type { Models } from "../../client/typed-paths.ts";
import { invalidField, MillraceError } from "../../errors/error.ts";
import { isReference } from "../../git/fetch-reference.ts";
import { newUuid } from "../../id.ts";
import { grantedAudiences, runClaims } from "../../oidc/run-claims.ts";
import type { RunTokens } from "../../oidc/run-tokens.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { AnswerChecker } from "../../runs/answers/answer-checker.ts";
import type { ArtifactBytes } from "../../runs/output/artifact-bytes.ts";
import { maskOf, type RunMasks } from "../../runs/output/run-masks.ts";
import { type FamilyNote, MAX_ANSWER, notRunning, refusedReport } from "../../runs/rules/agent-report.ts";
import {
  type Artifact,
  type ArtifactData,
  type ArtifactLimit,
  BRANCH_REFERENCE,
  fileArtifact,
  isArtifactPath,
  isBranch,
  isSameArtifact,
  MAX_ARTIFACT_BYTES,
  MAX_ARTIFACTS,
  MAX_OF_RUN,
} from "../../runs/rules/artifact.ts";
import { agentName } from "../../runs/rules/conversation.ts";
import { answerSchema, OUTPUT_SCHEMA_FILE } from "../../runs/rules/output-answer.ts";
import { MAX_AUDIENCES } from "../../runs/rules/run-audience.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type ApiRequest, changedMeanwhile, type Endpoints, expectedTags } from "../http/endpoint.ts";
import { artifactView } from "../runs/artifacts.ts";
import { findRun, ownRun } from "../runs/find-run.ts";
import { type AgentContextDeps, agentContextEndpoints } from "./agent-context.ts";

export type AgentEndpointDeps = RunReportDeps &
  ArtifactReportDeps &
  NoteDeps &
  AgentContextDeps &
  IdentityTokenDeps;

/** What the agent of a run reports of it, and asks for, with the token of that run. */
export function agentEndpoints(deps: AgentEndpointDeps) {
  return {
    ...runReportEndpoints(deps),
    ...artifactReportEndpoints(deps),
    ...noteEndpoints(deps),
    ...agentContextEndpoints(deps),
    ...identityTokenEndpoints(deps),
  } satisfies Endpoints;
}

interface RunReportDeps {
  runs: RunStore;
  answers: Pick<AnswerChecker, "check">;
  masks: Pick<RunMasks, "maskOf">;
  now: () => Date;
}

/** What an agent says of its run while it works, with the token of that run. */
function runReportEndpoints(deps: RunReportDeps) {
  return {
    reportBlocked: { handle: (request) => reportBlocked(request, deps) },
    reportAnswer: { largestBody: MAX_ANSWER_BODY_BYTES, handle: (request) => reportAnswer(request, deps) },
    reportStatus: { handle: (request) => reportStatus(request, deps) },
  } satisfies Endpoints;
}

async function reportBlocked(request: ApiRequest<"reportBlocked">, { runs, masks, now }: RunReportDeps) {
  const run = ownRun(request);
  const mask = maskOf(run, masks);
  const { message, choices, urgency } = request.body;
  const outcome = await runs.block(run, mask(message), now().toISOString(), {
    ...(choices ? { choices: choices.map(mask) } : {}),
    ...(urgency ? { urgency } : {}),
  });
  if (outcome !== "blocked") throw refusedReport(run, "question", outcome);
  return { json: { run_id: run.id, state: "BLOCKED" as const } };
}

/** Of the request with it: JSON may have white space and escapes. */
const MAX_ANSWER_BODY_BYTES = 1024 * 1024;

async function reportAnswer(
  request: ApiRequest<"reportAnswer">,
  { runs, masks, answers, now }: RunReportDeps,
) {
  const run = ownRun(request);
  const { text: said, json } = request.body;
  if ((said === undefined) === (json === undefined))
    throw invalidField("text", "expected either text or json");
  const mask = maskOf(run, masks);
  const whole = mask(said ?? JSON.stringify(json, null, 2));
  const checked = await checkedAnswer(run, whole, answers);
  const text = whole.slice(0, MAX_ANSWER);
  const outcome = await runs.reportAnswer(run, text, now().toISOString(), checked);
  if (outcome !== "kept") throw refusedReport(run, "answer", outcome);
  return { json: { run_id: run.id, text } };
}

/**
 * The answer as JSON, of a run that has a schema for it.
 * @throws MillraceError `invalid_answer` that says to the agent what is wrong with it
 */
async function checkedAnswer(
  run: Run,
  text: string,
  answers: RunReportDeps["answers"],
): Promise<string | undefined> {
  const schema = answerSchema(run);
  if (schema === undefined) return undefined;
  const checked = await answers.check(schema, text);
  if ("json" in checked) return checked.json;
  throw new MillraceError(
    "invalid_answer",
    `The answer does not fit the output schema of the run: ${checked.problems.join("; ")}.`,
    { remedy: `Correct it by the schema in ${OUTPUT_SCHEMA_FILE}, and answer again.` },
  );
}

async function reportStatus(request: ApiRequest<"reportStatus">, { runs, masks, now }: RunReportDeps) {
  const run = ownRun(request);
  // A status is a line, whatever it was written as.
  const text = maskOf(run, masks)(request.body.text).replace(/\s+/g, " ").trim();
  const outcome = await runs.reportStatus(run, text, now().toISOString());
  if (outcome !== "kept") throw refusedReport(run, "status", outcome);
  return { json: { run_id: run.id, text } };
}

interface ArtifactReportDeps {
  runs: RunStore;
  masks: Pick<RunMasks, "maskOf">;
  /** Where the files that agents leave are kept. */
  artifacts: ArtifactBytes;
  now: () => Date;
}

/** Of one file, in bytes; larger ones are left in artifacts/. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Of the request with it, in base64. */
const MAX_FILE_BODY_BYTES = 1536 * 1024;

/** What an agent has made, as it reports it while it works. */
function artifactReportEndpoints(deps: ArtifactReportDeps) {
  return {
    reportArtifact: { handle: (request) => reportArtifact(request, deps) },
    reportArtifactFile: {
      largestBody: MAX_FILE_BODY_BYTES,
      handle: (request) => reportArtifactFile(request, deps),
    },
  } satisfies Endpoints;
}

/** The same link is one artifact, in however many turns it is reported. */
async function reportArtifact(
  request: ApiRequest<"reportArtifact">,
  { runs, masks, now }: ArtifactReportDeps,
) {
  const run = ownRun(request);
  const mask = maskOf(run, masks);
  const { artifact_type: type, data: told } = request.body;
  const data: typeof told = { ...told };
  for (const [key, text] of Object.entries(told)) Object.assign(data, { [key]: mask(text) });
  checkReport({ type, data });
  const id = newUuid();
  const artifact: Artifact = {
    id,
    turn: run.turn,
    type,
    data: { artifact_uid: id, ...data },
    createdAt: now().toISOString(),
  };
  const same = await findSame(run, artifact, runs);
  if (same) return { status: 201, json: artifactView(same) };
  const limit = await runs.addArtifact(run.id, artifact, MAX_OF_RUN);
  if (limit !== undefined) throw overArtifactLimit(run, limit);
  return { status: 201, json: artifactView(artifact) };
}

/** @throws MillraceError `invalid_request` that names what an artifact of the type lacks */
function checkReport(artifact: Pick<Artifact, "type"> & { data: Omit<ArtifactData, "artifact_uid"> }): void {
  const { type, data } = artifact;
  const asBranch = isBranch(artifact);
  const needed: (keyof typeof data)[] = asBranch
    ? ["repository", "branch"]
    : [type === "PLAN" ? "title" : "url"];
  const lacking = needed.find((key) => data[key] === undefined);
  const what = asBranch ? BRANCH_REFERENCE : type;
  if (lacking !== undefined) throw invalidField(`data.${lacking}`, `required for a ${what}`);
  // It is an argument of the git commands of whoever reads it: no option, forced update or comment.
  if (asBranch && !(isReference(data.branch ?? "") && /^\w/.test(data.branch ?? "")))
    throw invalidField("data.branch", "expected the name of a branch, such as fix/cart-total");
}

/** Written before it is listed: a crash in between leaves a file that the sweep removes. */
async function reportArtifactFile(
  request: ApiRequest<"reportArtifactFile">,
  { runs, masks, artifacts, now }: ArtifactReportDeps,
) {
  const run = ownRun(request);
  const mask = maskOf(run, masks);
  const path = mask(request.body.name);
  if (!isArtifactPath(path))
    throw invalidField(
      "name",
      "expected a relative path such as reports/result.json, without . and .. in it",
    );
  const bytes = Buffer.from(request.body.data, "base64");
  if (bytes.length > MAX_FILE_BYTES) {
    throw new MillraceError(
      "payload_too_large",
      `The file is ${bytes.length} bytes; the limit is ${MAX_FILE_BYTES}.`,
      {
        remedy: "Write the file to the folder artifacts/: it is stored when the turn ends.",
      },
    );
  }
  const text = bytes.toString("utf8");
  const artifact = fileArtifact(
    {
      id: newUuid(),
      path,
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      holdsSecret: mask(text) !== text,
    },
    { turn: run.turn, at: now(), mimeType: request.body.mime_type },
  );
  const same = await findSame(run, artifact, runs);
  if (same) return { status: 201, json: artifactView(same) };
  const file = { runId: run.id, fileId: artifact.id };
  await artifacts.add(file, bytes);
  const limit = await runs.addArtifact(run.id, artifact, MAX_OF_RUN).catch(async (error) => {
    await artifacts.remove(file);
    throw error;
  });
  if (limit === undefined) return { status: 201, json: artifactView(artifact) };
  await artifacts.remove(file);
  throw overArtifactLimit(run, limit);
}

async function findSame(run: Run, artifact: Artifact, runs: Pick<RunStore, "listArtifacts">) {
  const known = (await runs.listArtifacts([run.id]))[run.id] ?? [];
  return known.find((each) => isSameArtifact(each, artifact));
}

function overArtifactLimit({ id }: Run, limit: ArtifactLimit): MillraceError {
  const message =
    limit === "too many"
      ? `Run ${id} already has ${MAX_ARTIFACTS} artifacts, which is the limit.`
      : `Run ${id} has reported ${MAX_ARTIFACT_BYTES / 1024 / 1024} MiB of artifacts, which is the limit.`;
  return new MillraceError("invalid_request", message, {
    remedy: "Report only what matters. Write long texts to files in artifacts/.",
  });
}

interface NoteDeps {
  runs: Pick<RunStore, "find" | "findNote" | "writeNote">;
  masks: Pick<RunMasks, "maskOf">;
  now: () => Date;
}

/** The page that the runs of a family share: each reads it, and the agents write it. */
function noteEndpoints({ runs, masks, now }: NoteDeps) {
  return {
    getNote: {
      async handle(request) {
        const note = await runs.findNote(await findRun(request, { runs }));
        return { json: noteView(note), etag: etagOf(note?.version ?? 0) };
      },
    },
    putNote: {
      async handle(request) {
        const run = ownRun(request);
        const { text, append: isAppended = false } = request.body;
        const agent = agentName(run);
        const change = { text: maskOf(run, masks)(text), isAppended, expected: versionsIn(request), agent };
        const written = await runs.writeNote(run, change, now().toISOString());
        if (written === "changed") throw changedMeanwhile();
        if (typeof written === "string") throw refusedReport(run, "note", written);
        return { json: noteView(written), etag: etagOf(written.version) };
      },
    },
  } satisfies Endpoints;
}

const etagOf = (version: number) => `"${version}"`;

/** The versions that a request names in If-Match. What is no tag of a note is none of its versions. */
function versionsIn(request: Pick<ApiRequest, "http">): number[] | undefined {
  return expectedTags(request)?.map((tag) => Number(/^"(\d{1,15})"$/.exec(tag)?.[1] ?? Number.NaN));
}

function noteView(note: FamilyNote | undefined): Models["FamilyNote"] {
  if (!note) return { text: "", updated_at: null, updated_by: null };
  const { text, updatedAt, agent, runId } = note;
  return { text, updated_at: updatedAt, updated_by: agent, updated_by_run_id: runId };
}

interface IdentityTokenDeps {
  runs: Pick<RunStore, "noteAudience">;
  runTokens: RunTokens;
  factories: Pick<Factories, "find">;
  now: () => Date;
}

/** Tokens with which the agent of a run proves to other services who it is. */
function identityTokenEndpoints(deps: IdentityTokenDeps) {
  return {
    createIdentityToken: {
      subject: ({ path, body }) => `${path.runId} ${body.audience}`,
      handle: (request) => createIdentityToken(request, deps),
    },
  } satisfies Endpoints;
}

/** Whom the token is for is in the timeline of the run before there is a token. */
async function createIdentityToken(
  request: ApiRequest<"createIdentityToken">,
  { runs, runTokens, factories, now }: IdentityTokenDeps,
) {
  const run = ownRun(request);
  const { audience } = request.body;
  runTokens.issuer();
  const factory = factoryOf(run, factories);
  const granted = factory && grantedAudiences(run, factory);
  if (granted && !granted.includes(audience)) throw notGranted(audience);
  const claims = runClaims(run, factory);
  const outcome = await runs.noteAudience(run, audience, now().toISOString());
  if (outcome === "not running") throw notRunning(run);
  if (outcome === "too many") throw tooManyAudiences(run);
  const { token, expiresAt } = await runTokens.issue(claims, audience);
  return { json: { token, expires_at: expiresAt } };
}

/** @throws MillraceError `conflict` for a factory that is gone: nobody answers for its names any more */
function factoryOf({ id, factoryUid }: Run, factories: Pick<Factories, "find">) {
  if (factoryUid === null) return undefined;
  const found = factories.find(factoryUid);
  // A factory may have a name that reads like the uid of one that is gone.
  if (found?.record.uid === factoryUid) return found;
  throw new MillraceError("conflict", `The factory of run ${id} is no longer served.`, { retryable: false });
}

function notGranted(audience: string): MillraceError {
  return new MillraceError(
    "not_authorized",
    `The definition does not allow this run to get tokens for the audience "${audience}".`,
    {
      remedy:
        "Add it to identity.audiences in the millrace: block of the automation, or of the agent or factory.yaml if the automation has no such list.",
    },
  );
}

function tooManyAudiences({ id }: Run): MillraceError {
  return new MillraceError(
    "invalid_request",
    `Run ${id} has created tokens for ${MAX_AUDIENCES} different audiences, which is the limit.`,
    { remedy: "Use one of the same audiences again." },
  );
}
