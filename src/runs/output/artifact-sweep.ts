import type { Artifact } from "../rules/artifact.ts";
import { LEASED_STATES, type RunState } from "../rules/state.ts";
import { BEFORE_EVERY_END, type RunStore } from "../run-store.ts";
import type { ArtifactBytes } from "./artifact-bytes.ts";

export interface ArtifactSweepDeps {
  store: Pick<RunStore, "listDisposable" | "listArtifacts" | "find">;
  /** Where the files of all runs are kept. */
  kept: ArtifactBytes;
  now: () => Date;
}

/** What another server writes is listed within this time, or its run still has a worker. */
const LEFT_OVER_AFTER_MS = 60 * 60_000;

/**
 * Removes files that no artifact has any more: those of runs that are forgotten, and those that an earlier process copied and did
 * not come to list. The latter are looked for when it is called for the first time, and each time where other servers write too.
 */
export function artifactSweep({
  store,
  kept,
  now,
}: ArtifactSweepDeps): (signal?: AbortSignal) => Promise<void> {
  const startedAt = now().getTime();
  let looksInside = true;

  return async (signal) => {
    for await (const runIds of kept.listRuns()) {
      if (signal?.aborted) return;
      const gone = new Set(await store.listDisposable(runIds, BEFORE_EVERY_END));
      for (const id of gone) await kept.removeRun(id);
      if (looksInside) await removeUnlisted(runIds.filter((id) => !gone.has(id)));
    }
    looksInside = kept.isShared;
  };

  /** A file that this process copies is listed a moment later; only older ones are no one's. */
  async function removeUnlisted(runIds: readonly string[]): Promise<void> {
    const artifacts = await store.listArtifacts(runIds);
    for (const runId of runIds) {
      if ((await unlisted(runId, artifacts[runId])).length === 0) continue;
      // Its agent may be at work on a worker, which sent the file to the process before this one and lists it now.
      const run = await store.find(runId);
      if (!run || (LEASED_STATES as readonly RunState[]).includes(run.state)) continue;
      const before = kept.isShared ? now().getTime() - LEFT_OVER_AFTER_MS : startedAt;
      for (const fileId of await unlisted(runId, (await store.listArtifacts([runId]))[runId])) {
        const changed = await kept.findChanged({ runId, fileId });
        if (changed !== undefined && changed < before) await kept.remove({ runId, fileId });
      }
    }
  }

  async function unlisted(runId: string, artifacts: readonly Artifact[] = []): Promise<string[]> {
    const listed = new Set(artifacts.map(({ id }) => id));
    return (await kept.list(runId)).filter((name) => !listed.has(name));
  }
}
