import { createMasking, maskText } from "../../secrets/masking/mask.ts";

/** Hides secrets in what agents report over HTTP, as the supervisor does in what they write. */
export interface RunMasks {
  /** Hides these values in what is reported of a run from now on. @returns what ends that */
  hide(runId: string, values: readonly string[]): () => void;
  /** @returns what masks the texts of a run; nothing when no turn of it is under way here */
  maskOf(runId: string): ((text: string) => string) | undefined;
}

export function createRunMasks(): RunMasks {
  const masks = new Map<string, (text: string) => string>();
  return {
    hide(runId, values) {
      let masking: ReturnType<typeof createMasking> | undefined;
      // Few agents report anything, so the search for their secrets is prepared at the first report.
      const mask = (text: string) => {
        masking ??= createMasking(values);
        return maskText(text, masking);
      };
      masks.set(runId, mask);
      return () => {
        if (masks.get(runId) === mask) masks.delete(runId);
      };
    },
    maskOf: (runId) => masks.get(runId),
  };
}
