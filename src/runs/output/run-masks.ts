import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { createMasking, type Masker, maskText } from "../../secrets/masking/mask.ts";

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
