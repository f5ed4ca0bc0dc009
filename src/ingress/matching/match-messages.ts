import type { RunSource } from "../../runs/run-source.ts";
import type { WrittenListener } from "./match.ts";

/** What the thread is asked: which of the listeners of a webhook a delivery starts. */
export interface ToMatch {
  /** The listeners, by a number that stands for them as long as they are the same. */
  listeners: number;
  /** They themselves, for a thread that does not know them yet. */
  written?: WrittenListener[];
  event: string | null;
  authors: readonly string[];
  bytes: Uint8Array;
}

export type FromMatch = { isUnknown: true } | { sources: (RunSource | null)[] };
