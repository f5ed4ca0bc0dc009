import type { CommitSignal } from "../../concurrency/rounds.ts";
import { MillraceError } from "../../errors/error.ts";
import { type Caller, seesRun } from "../../runs/caller.ts";
import { maskOf, type RunMasks } from "../../runs/output/run-masks.ts";
import type { TranscriptStore } from "../../runs/output/transcript.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { StartDeps } from "../../runs/start/start-run.ts";
import type { TurnMeter } from "../../runs/turn-meter.ts";
import { type ApiRequest, type Called, uuidInPath } from "../http/endpoint.ts";
import type { Cursors } from "../http/page.ts";

interface FindDeps {
  runs: Pick<RunStore, "find">;
}

/** A request that names a run. */
interface RunRequest extends Called {
  path: { runId: string };
}

/**
 * The run that the path names.
 * @throws MillraceError `invalid_request` for what is no run id, `resource_not_found` for what the caller cannot see
 */
export async function findRun(request: RunRequest, { runs }: FindDeps): Promise<Run> {
  const id = uuidInPath(request, "runId");
  const run = await runs.find(id);
  if (run && seesRun(request.caller, run)) return run;
  throw noSuchRun(id, request.caller);
}

/** Who calls finds here which runs there are for them. */
const ACCESSIBLE_RUNS: Record<Caller["kind"], string> = {
  key: "`millrace runs list` shows the runs that the key can access.",
  run: "An agent can access its own run (MILLRACE_RUN_ID) and the runs that descend from it, which the tool `list_agents` and `millrace agent list --runs` show.",
};

export function noSuchRun(id: string, { kind }: Pick<Caller, "kind">): MillraceError {
  return new MillraceError("resource_not_found", `There is no run ${id}.`, { remedy: ACCESSIBLE_RUNS[kind] });
}

/** A request for a run; both paths that take one are one operation. */
export type CreateRequest = ApiRequest<"createRun" | "createRunAlias">;

/** What the endpoints of runs stand on. */
export interface RunDeps extends StartDeps {
  transcripts: TranscriptStore;
  /** Is told of runs that end without a worker. */
  meter: Pick<TurnMeter, "ended">;
  cursors: Cursors;
  commits: CommitSignal;
  publicUrl: () => string;
}

/**
 * The run whose agent calls. Those that it may see, its children for example, report for themselves.
 * @throws MillraceError `resource_not_found` when the path names another run
 */
export function ownRun(request: RunRequest): Run {
  const id = uuidInPath(request, "runId");
  if (request.caller.kind === "run" && request.caller.run.id === id) return request.caller.run;
  throw noSuchRun(id, request.caller);
}

/** What masks the texts that a caller writes: those of an agent, with the secrets of its run. */
export function maskOfCaller(caller: Caller, masks: Pick<RunMasks, "maskOf">): (text: string) => string {
  return caller.kind === "run" ? maskOf(caller.run, masks) : (text) => text;
}
