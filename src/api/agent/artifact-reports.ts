import { createHash } from "node:crypto";
import { MillraceError } from "../../errors/error.ts";
import { isReference } from "../../git/fetch-reference.ts";
import { newUuid } from "../../id.ts";
import type { ArtifactBytes } from "../../runs/output/artifact-bytes.ts";
import type { RunMasks } from "../../runs/output/run-masks.ts";
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
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { artifactView } from "../runs/output/artifact-view.ts";
import { invalidField } from "../runs/start/agent-config-check.ts";
import { maskOf, ownRun } from "./own-run.ts";

export interface ArtifactReportDeps {
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
export function artifactReportEndpoints(deps: ArtifactReportDeps) {
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
