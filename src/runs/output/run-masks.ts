import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { MillraceError } from "../../errors/error.ts";
import { createMasking, type Masker, maskText } from "../../secrets/masking/mask.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { notRunning } from "../rules/agent-report.ts";
import type { Run } from "../run.ts";

/** Hides secrets in what agents report over HTTP, as the supervisor does in what they write. */
export interface RunMasks {
  /** Hides these values in what is reported of a run from now on. @returns what ends that */
  hide(runId: string, values: readonly string[]): Promise<() => void>;
  /** @returns what ends the hiding of what is hidden of a run now, and not of what is hidden of it later */
  unhiding(runId: string): () => void;
  /** Looks up what is hidden of a run, which another server may have been told: before anything that follows is asked. */
  learn(runId: string): Promise<void>;
  /** @returns what masks the texts of a run; nothing when no turn of it is under way here */
  maskOf(runId: string): ((text: string) => string) | undefined;
  /** @returns what masks the files of a run, which can be large; nothing when no turn of it is under way here */
  fileMaskOf(runId: string): ((bytes: Uint8Array) => Promise<Buffer>) | undefined;
}

/** About two milliseconds of work, between which other requests have their turn. */
const PIECE_BYTES = 128 * 1024;

export function createRunMasks(): RunMasks {
  const masks = new Map<string, () => Masker>();
  return {
    async hide(runId, values) {
      let masking: ReturnType<typeof createMasking> | undefined;
      // Few agents report anything, so the search for their secrets is prepared at the first report.
      const createMasker = () => {
        masking ??= createMasking(values);
        return masking();
      };
      masks.set(runId, createMasker);
      return () => {
        if (masks.get(runId) === createMasker) masks.delete(runId);
      };
    },
    unhiding(runId) {
      const createMasker = masks.get(runId);
      return () => {
        if (createMasker && masks.get(runId) === createMasker) masks.delete(runId);
      };
    },
    async learn() {},
    maskOf(runId) {
      const createMasker = masks.get(runId);
      return createMasker && ((text) => maskText(text, createMasker));
    },
    fileMaskOf(runId) {
      const createMasker = masks.get(runId);
      return createMasker && ((bytes) => maskFile(Buffer.from(bytes), createMasker()));
    },
  };
}

async function maskFile(bytes: Buffer, masker: Masker): Promise<Buffer> {
  const shown: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    shown.push(masker.push(bytes.subarray(at, at + PIECE_BYTES)));
    await yieldToEventLoop();
  }
  return Buffer.concat([...shown, masker.end()]);
}

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

/**
 * Without the turn that grants secrets, no one knows what to hide: nothing is taken.
 * @throws MillraceError `conflict`, or `service_unavailable` while a server that was restarted has not heard from the run's worker
 */
export function maskOf(run: Run, masks: Pick<RunMasks, "maskOf">): (text: string) => string {
  const mask = masks.maskOf(run.id);
  if (!mask) throw notKnown(run);
  return mask;
}

/** The same for files. @throws MillraceError `conflict`, `service_unavailable` */
export function fileMaskOf(
  run: Run,
  masks: Pick<RunMasks, "fileMaskOf">,
): (bytes: Uint8Array) => Promise<Buffer> {
  const mask = masks.fileMaskOf(run.id);
  if (!mask) throw notKnown(run);
  return mask;
}

/** The worker of a run knows what to hide, and says so once it has reached a server that was started again. */
function notKnown(run: Run): MillraceError {
  if (!run.isLeased) return notRunning(run);
  return new MillraceError(
    "service_unavailable",
    `The server was started again, and the worker of run ${run.id} has not reached it yet.`,
    { remedy: "Send the request again in a few seconds." },
  );
}
