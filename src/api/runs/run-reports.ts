import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import {
  type Artifact,
  type ArtifactLimit,
  isSameArtifact,
  MAX_ARTIFACT_BYTES,
  MAX_ARTIFACTS,
  MAX_OF_RUN,
} from "../../runs/output/artifact.ts";
import type { RunMasks } from "../../runs/output/run-masks.ts";
import { MAX_SAID } from "../../runs/rules/conversation.ts";
import type { Run, RunStore } from "../../runs/run.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { invalidField } from "./agent-config-check.ts";
import { artifactView } from "./artifact-view.ts";
import { findRun } from "./find-run.ts";

export interface RunReportDeps {
  runs: RunStore;
  masks: Pick<RunMasks, "maskOf">;
  now: () => Date;
}

/** What an agent says of its run while it works, with the token of that run. */
export function runReportEndpoints(deps: RunReportDeps) {
  return {
    reportArtifact: {
      handle: (request) => reportArtifact(request, deps),
    },
    reportBlocked: {
      handle: (request) => reportBlocked(request, deps),
    },
  } satisfies Endpoints;
}

/** The same link is one artifact, in however many turns it is reported. */
async function reportArtifact(request: ApiRequest<"reportArtifact">, { runs, masks, now }: RunReportDeps) {
  const run = await findRun(request, { runs });
  const mask = maskOf(run, masks);
  const { artifact_type: type, data: told } = request.body;
  const data: typeof told = { ...told };
  for (const [key, text] of Object.entries(told)) Object.assign(data, { [key]: mask(text) });
  const needed = type === "PLAN" ? "title" : "url";
  if (data[needed] === undefined) throw invalidField(`data.${needed}`, `required for a ${type}`);
  const known = (await runs.listArtifacts([run.id]))[run.id] ?? [];
  const reported = { type, data: { artifact_uid: newUuid(), ...data } };
  const same = known.find((each) => isSameArtifact(each, reported));
  if (same) return { status: 201, json: artifactView(same) };
  const artifact: Artifact = {
    id: reported.data.artifact_uid,
    turn: run.turn,
    ...reported,
    createdAt: now().toISOString(),
  };
  const limit = await runs.addArtifact(run.id, artifact, MAX_OF_RUN);
  if (limit !== undefined) throw overArtifactLimit(run, limit);
  return { status: 201, json: artifactView(artifact) };
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

async function reportBlocked(request: ApiRequest<"reportBlocked">, { runs, masks, now }: RunReportDeps) {
  const run = await findRun(request, { runs });
  const message = maskOf(run, masks)(request.body.message);
  const outcome = await runs.block(run.id, message, now().toISOString());
  if (outcome === "not running") throw notRunning(run);
  if (outcome === "full") {
    throw new MillraceError(
      "payload_too_large",
      `Run ${run.id} has stored ${MAX_SAID} characters of questions and answers, which is the limit.`,
      { remedy: "Write long texts to files in artifacts/, or create another run." },
    );
  }
  return { json: { run_id: run.id, state: "BLOCKED" as const } };
}

/** Without the turn that grants secrets, no one knows what to hide: nothing is taken. */
function maskOf(run: Run, masks: RunReportDeps["masks"]): (text: string) => string {
  const mask = masks.maskOf(run.id);
  if (!mask) throw notRunning(run);
  return mask;
}

const notRunning = ({ id }: Run) => new MillraceError("conflict", `Run ${id} is not running.`);
