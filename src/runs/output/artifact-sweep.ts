import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { emptyIfMissing } from "../../errors/error.ts";
import { isUuid } from "../../id.ts";
import { LEASED_STATES, type RunState } from "../rules/state.ts";
import { BEFORE_EVERY_END, type RunStore } from "../run.ts";
import type { Artifact } from "./artifact.ts";
import { artifactFile } from "./artifact-files.ts";

export interface ArtifactSweepDeps {
  store: Pick<RunStore, "listDisposable" | "listArtifacts" | "find">;
  /** Where the files of all runs are kept. */
  kept: string;
  now: () => Date;
}

const BATCH = 50;

/**
 * Removes files that no artifact has any more: those of runs that are forgotten and, when it is called for the first
 * time, those that an earlier process copied and did not come to list.
 */
export function artifactSweep({
  store,
  kept,
  now,
}: ArtifactSweepDeps): (signal?: AbortSignal) => Promise<void> {
  const startedAt = now().getTime();
  let hasLookedInside = false;

  return async (signal) => {
    const runIds = (await readdir(kept).catch(emptyIfMissing)).filter(isUuid);
    for (let at = 0; at < runIds.length && !signal?.aborted; at += BATCH) {
      const batch = runIds.slice(at, at + BATCH);
      const gone = new Set(await store.listDisposable(batch, BEFORE_EVERY_END));
      for (const id of gone) await rm(join(kept, id), { recursive: true, force: true });
      if (!hasLookedInside) await removeUnlisted(batch.filter((id) => !gone.has(id)));
    }
    hasLookedInside = !signal?.aborted;
  };

  /** A file that this process copies is listed a moment later; only older ones are no one's. */
  async function removeUnlisted(runIds: readonly string[]): Promise<void> {
    const artifacts = await store.listArtifacts(runIds);
    for (const runId of runIds) {
      if ((await unlisted(runId, artifacts[runId])).length === 0) continue;
      // Its agent may be at work on a worker, which sent the file to the process before this one and lists it now.
      const run = await store.find(runId);
      if (!run || (LEASED_STATES as readonly RunState[]).includes(run.state)) continue;
      for (const name of await unlisted(runId, (await store.listArtifacts([runId]))[runId])) {
        const file = artifactFile(kept, runId, name);
        if ((await stat(file)).mtimeMs < startedAt) await rm(file, { recursive: true, force: true });
      }
    }
  }

  async function unlisted(runId: string, artifacts: readonly Artifact[] = []): Promise<string[]> {
    const listed = new Set(artifacts.map(({ id }) => id));
    return (await readdir(join(kept, runId)).catch(emptyIfMissing)).filter((name) => !listed.has(name));
  }
}
