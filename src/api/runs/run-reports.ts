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
import type { Run, RunStore } from "../../runs/run.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { invalidField } from "./agent-config-check.ts";
import { artifactView } from "./artifact-view.ts";
import { findRun } from "./find-run.ts";

export interface RunReportDeps {
  runs: RunStore;
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
async function reportArtifact(request: ApiRequest<"reportArtifact">, { runs, now }: RunReportDeps) {
  const run = await findRun(request, { runs });
  const { artifact_type: type, data } = request.body;
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

async function reportBlocked(request: ApiRequest<"reportBlocked">, { runs, now }: RunReportDeps) {
  const run = await findRun(request, { runs });
  if (!(await runs.block(run.id, request.body.message, now().toISOString()))) {
    throw new MillraceError("conflict", `Run ${run.id} is not running.`);
  }
  return { json: { run_id: run.id, state: "BLOCKED" as const } };
}
