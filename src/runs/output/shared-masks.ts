import type { Sealer } from "../../secrets/seal.ts";
import { createRunMasks, type RunMasks } from "./run-masks.ts";

/** What must not be shown of runs whose agents are at work, sealed, for all servers of a store. */
export interface RunMaskStore {
  /** Takes the place of what was kept of the run before. */
  keep(runId: string, sealed: string): Promise<void>;
  find(runId: string): Promise<string | undefined>;
  /** Removes it, unless something else has taken its place. */
  forget(runId: string, sealed: string): Promise<void>;
}

/** So many runs are remembered; what must not be shown of others is looked up and prepared again. */
const MAX_REMEMBERED = 1_000;

/**
 * Hides secrets in what agents report to any server of a store. The values are kept there for as long as the turn lasts, sealed
 * with the master key.
 */
export function sharedMasks(store: RunMaskStore, sealer: Pick<Sealer, "seal" | "open">): RunMasks {
  const memory = createRunMasks();
  const remembered = new Map<string, { sealed: string; unhide(): void }>();
  const contextOf = (runId: string) => `what must not be shown of run ${runId}`;

  async function remember(runId: string, sealed: string, values: readonly string[]): Promise<void> {
    remembered.delete(runId);
    remembered.set(runId, { sealed, unhide: await memory.hide(runId, values) });
    const [oldest] = remembered.keys();
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) forget(oldest);
  }

  function forget(runId: string): void {
    remembered.get(runId)?.unhide();
    remembered.delete(runId);
  }

  function ending(runId: string, sealed: string): () => void {
    return () => {
      if (remembered.get(runId)?.sealed === sealed) forget(runId);
      // What stays is replaced by the next turn, or goes with the run.
      void store.forget(runId, sealed).catch(() => {});
    };
  }

  return {
    ...memory,
    async hide(runId, values) {
      const bytes = sealer.seal(JSON.stringify(values), contextOf(runId));
      const sealed = Buffer.from(bytes).toString("base64");
      await store.keep(runId, sealed);
      await remember(runId, sealed, values);
      return ending(runId, sealed);
    },
    unhiding(runId) {
      const known = remembered.get(runId);
      return known ? ending(runId, known.sealed) : () => {};
    },
    async learn(runId) {
      const sealed = await store.find(runId);
      if (sealed === remembered.get(runId)?.sealed) return;
      if (sealed === undefined) return forget(runId);
      await remember(runId, sealed, JSON.parse(sealer.open(Buffer.from(sealed, "base64"), contextOf(runId))));
    },
  };
}
