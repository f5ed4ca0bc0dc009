import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import { type Artifact, isSameArtifact, MOST_ARTIFACTS } from "../runs/artifact.ts";
import type { Run, RunStore } from "../runs/run.ts";
import { invalidField } from "./agent-config-check.ts";
import { artifactView } from "./artifact-view.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { findRun } from "./find-run.ts";

export interface RunReportParts {
  runs: RunStore;
  now: () => Date;
}

/** What an agent says of its run while it works, with the token of that run. */
export function runReportEndpoints(parts: RunReportParts): Endpoints {
  return {
    reportArtifact: {
      role: "operator",
      runToken: true,
      handle: (request) => reportArtifact(request, parts),
    },
    reportBlocked: {
      role: "operator",
      runToken: true,
      handle: (request) => reportBlocked(request, parts),
    },
  };
}

/** The same link is one artifact, in however many turns it is reported. */
async function reportArtifact(request: ApiRequest, { runs, now }: RunReportParts) {
  const run = await ownRun(request, runs);
  const { artifact_type: type, data } = request.body;
  const needed = type === "PLAN" ? "title" : "url";
  if (data[needed] === undefined) throw invalidField(`data.${needed}`, `a ${type} has one`);
  const known = (await runs.listArtifacts([run.id]))[run.id] ?? [];
  const reported = { type, data: { artifact_uid: newUuid(), ...data } };
  const same = known.find((each) => isSameArtifact(each, reported));
  if (same) return { status: 201, json: artifactView(same) };
  if (known.length >= MOST_ARTIFACTS) {
    throw new MillraceError("invalid_request", `Run ${run.id} has ${MOST_ARTIFACTS} artifacts already.`, {
      remedy: "Report what matters: a run leaves no more.",
    });
  }
  const artifact: Artifact = {
    id: reported.data.artifact_uid,
    turn: run.turn,
    ...reported,
    createdAt: now().toISOString(),
  };
  await runs.addArtifact(run.id, artifact);
  return { status: 201, json: artifactView(artifact) };
}

async function reportBlocked(request: ApiRequest, { runs, now }: RunReportParts) {
  const run = await ownRun(request, runs);
  if (!(await runs.block(run.id, request.body.message, now().toISOString()))) {
    throw new MillraceError("conflict", `Run ${run.id} is not at work.`);
  }
  return { json: { run_id: run.id, state: "BLOCKED" } };
}

/** @throws MillraceError `not_authorized` for a key: what an agent reports, nobody else says in its name */
async function ownRun(request: ApiRequest, runs: RunStore): Promise<Run> {
  const run = await findRun(request, { runs });
  if (request.caller.kind === "run") return run;
  throw new MillraceError("not_authorized", "Only the agent of the run can report this.", {
    remedy: "Send the token that the agent finds in MILLRACE_RUN_TOKEN; to steer a run, send it a follow-up.",
  });
}
