import { join } from "node:path";
import type { RunStore } from "../../runs/run.ts";
import { findUsage } from "./workspace-usage.ts";
import type { Workspaces } from "./workspaces.ts";

export interface RemoveEndedDeps {
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
export async function* endedRuns({ store, workspaces, now }: RemoveEndedDeps): AsyncGenerator<string> {
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
