import { join } from "node:path";
import type { RunStore } from "../../runs/run-store.ts";
import type { FileWorker } from "../files/file-worker.ts";
import { bytesOnlyIn, objectsOf } from "./shared-objects.ts";
import { findUsage, type Workspaces } from "./workspaces.ts";

interface RemoveEndedDeps {
  store: Pick<RunStore, "listDisposable">;
  workspaces: Pick<Workspaces, "folder" | "list" | "remove">;
  now: () => Date;
}

const BATCH = 50;

/** Removes the workspace of one run that has ended. @returns its run, or nothing when there is none */
export async function removeOneEnded(deps: RemoveEndedDeps): Promise<string | undefined> {
  for await (const runId of endedRuns(deps)) if (await deps.workspaces.remove(runId)) return runId;
  return undefined;
}

/** The runs that have ended and have a workspace: those first that were ended because they took too much, then by their ends. */
async function* endedRuns({ store, workspaces, now }: RemoveEndedDeps): AsyncGenerator<string> {
  const found = await Promise.all(
    (await workspaces.list()).map(async (runId) => {
      const { isOver = false, endedAtMs = 0 } = (await findUsage(join(workspaces.folder, runId))) ?? {};
      return { runId, isOver, endedAtMs };
    }),
  );
  found.sort(
    (one, other) =>
      Number(other.isOver) - Number(one.isOver) ||
      one.endedAtMs - other.endedAtMs ||
      (one.runId < other.runId ? -1 : 1),
  );
  for (let at = 0; at < found.length; at += BATCH) {
    const batch = found.slice(at, at + BATCH).map(({ runId }) => runId);
    yield* await store.listDisposable(batch, new Date(now().getTime() + 1).toISOString());
  }
}

export interface DiskTotalDeps extends RemoveEndedDeps {
  workspaces: Pick<Workspaces, "folder" | "list" | "remove">;
  files: Pick<FileWorker, "run">;
  /** Where mirrors of repositories are. */
  git: string;
  /** What workspaces and mirrors may take together, in bytes; 0 for any size. */
  mostBytes: number;
  /** Removes mirrors of repositories that no run needs now. */
  removeMirrors(signal?: AbortSignal): Promise<void>;
}

/**
 * Removes workspaces of ended runs, and then mirrors, until workspaces and mirrors take no more than they may. A workspace that
 * cannot be counted is taken for the heaviest: those of ended runs are removed.
 */
export async function keepDiskTotal(deps: DiskTotalDeps, signal?: AbortSignal): Promise<void> {
  const { workspaces, files, git, mostBytes } = deps;
  if (mostBytes === 0) return;
  const sizes = new Map<string, Size>();
  for (const runId of await workspaces.list()) sizes.set(runId, await sizeOf(runId, deps, signal));
  const also = [...sizes.keys()].map((runId) => objectsOf(join(workspaces.folder, runId)));
  const ofObjects = (await files.run("count", { folder: git, also }, signal)).result.bytes;
  let total = [...sizes.values()].reduce((sum, { bytes }) => sum + bytes, ofObjects);

  async function removeEnded(isNext: (runId: string) => boolean): Promise<void> {
    for await (const runId of endedRuns(deps)) {
      if (signal?.aborted) return;
      if (!isNext(runId)) continue;
      const onlyThere = await bytesOnlyIn(objectsOf(join(workspaces.folder, runId)));
      if (await workspaces.remove(runId, signal)) {
        total -= (sizes.get(runId)?.bytes ?? 0) + onlyThere;
        sizes.delete(runId);
      }
    }
  }

  if ([...sizes.values()].some(({ isWhole }) => !isWhole))
    await removeEnded((runId) => sizes.get(runId)?.isWhole === false);
  if (total > mostBytes) await removeEnded(() => total > mostBytes);
  if (total > mostBytes && !signal?.aborted) await deps.removeMirrors(signal);
}

interface Size {
  bytes: number;
  /** Not when there is more, which could not be counted. */
  isWhole: boolean;
}

/** As its last turn has left it, or as it is now where that was not noted. */
async function sizeOf(
  runId: string,
  { workspaces, files }: DiskTotalDeps,
  signal: AbortSignal | undefined,
): Promise<Size> {
  const folder = join(workspaces.folder, runId);
  const left = await findUsage(folder);
  if (left && !left.isPartial) return { bytes: left.bytes, isWhole: true };
  try {
    const { result } = await files.run("count", { folder }, signal);
    return { bytes: result.bytes, isWhole: !result.isPartial };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { bytes: 0, isWhole: false };
  }
}
