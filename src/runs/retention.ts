import { inBatches } from "../concurrency/periodic-jobs.ts";
import { errorMessage } from "../errors/error.ts";
import type { TranscriptStore } from "./output/transcript.ts";
import { BEFORE_EVERY_END, type RunStore } from "./run-store.ts";

export interface RetentionDeps {
  store: Pick<RunStore, "listDisposable" | "forgetRuns">;
  /** How long what belongs to a run is kept after its end, in milliseconds. */
  keepMs: number;
  now: () => Date;
}

/** The workspaces of runs on this machine. */
export interface RunWorkspaces {
  /** The runs that have one. */
  list(): Promise<string[]>;
  remove(runId: string, signal?: AbortSignal): Promise<unknown>;
  /** Removes what a removal has left that did not come to its end. */
  removeRemains(signal?: AbortSignal): Promise<void>;
}

const BATCH = 50;
/** Kept as long as its run. */
export const FOR_EVER = Number.POSITIVE_INFINITY;

/** Removes the workspaces of runs that ended long ago, and of those that there are no more. One in the way stops no other. */
export async function pruneWorkspaces(
  deps: RetentionDeps & { workspaces: RunWorkspaces },
  signal?: AbortSignal,
): Promise<void> {
  const { store, workspaces } = deps;
  const left: string[] = [];
  const leave = (error: unknown) => void left.push(errorMessage(error));
  await workspaces.removeRemains(signal).catch(leave);
  const runIds = await workspaces.list();
  for (let at = 0; at < runIds.length && !signal?.aborted; at += BATCH) {
    for (const id of await store.listDisposable(runIds.slice(at, at + BATCH), endedBefore(deps))) {
      if (signal?.aborted) break;
      await workspaces.remove(id, signal).catch(leave);
    }
  }
  if (left.length > 0 && !signal?.aborted) throw new Error(left.join("; "));
}

/** Forgets what the agents of runs wrote that ended long ago or are there no more. */
export async function pruneTranscripts(
  deps: RetentionDeps & {
    store: Pick<RunStore, "keepOutputEnds">;
    transcripts: Pick<TranscriptStore, "listRuns" | "listLastSeqs" | "forget">;
  },
  signal?: AbortSignal,
): Promise<void> {
  const { store, transcripts } = deps;
  let runIds = await transcripts.listRuns("", BATCH);
  while (runIds.length > 0 && !signal?.aborted) {
    const disposable = await store.listDisposable(runIds, endedBefore(deps));
    if (disposable.length > 0) {
      // First: the numbers of a further turn go on, for readers that have seen what is forgotten.
      await store.keepOutputEnds(await transcripts.listLastSeqs(disposable));
      await inBatches((limit) => transcripts.forget(disposable, limit), signal);
    }
    runIds = await transcripts.listRuns(runIds.at(-1) ?? "", BATCH);
  }
}

/** Forgets runs that ended long ago with all that belongs to them. */
export function pruneRuns(deps: RetentionDeps, signal?: AbortSignal): Promise<void> {
  return inBatches((limit) => deps.store.forgetRuns(endedBefore(deps), limit), signal);
}

/** Forgets what runs have used that are there no more. */
export function pruneUsage(
  deps: Omit<RetentionDeps, "store"> & { store: Pick<RunStore, "forgetUsage"> },
  signal?: AbortSignal,
): Promise<void> {
  return inBatches((limit) => deps.store.forgetUsage(endedBefore(deps), limit), signal);
}

function endedBefore({ keepMs, now }: Pick<RetentionDeps, "keepMs" | "now">): string {
  if (keepMs === FOR_EVER) return BEFORE_EVERY_END;
  return new Date(now().getTime() - keepMs).toISOString();
}
