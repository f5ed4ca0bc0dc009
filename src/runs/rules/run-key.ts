import { hash } from "node:crypto";
import type { Debounce, KeyedConcurrency } from "../../definitions/definition.ts";
import type { EndedMember } from "./family.ts";

export { MAX_JOINED, MAX_JOINED_BYTES } from "../../definitions/definition.ts";

/** What makes the run of a delivery one thing with others (docs/concurrency.md). */
export interface RunKey {
  /** Nothing where the payload has no value for it: such a run has nothing to do with others. */
  key: string | null;
  /** Nothing where only a window is asked for: then runs do not wait for each other. */
  concurrency?: Omit<KeyedConcurrency, "key">;
  debounce?: Debounce;
  /** The message with which the delivery continues a run, and where it comes from. */
  message?: { text: string; author: string };
}

/** What became of a delivery for an automation, when it was accepted. */
export const DISPOSITION_KINDS = ["started", "joined", "replaced", "continued"] as const;
export type DispositionKind = (typeof DISPOSITION_KINDS)[number];

/** An earlier run of its key, or further deliveries. */
export type WaitedFor = "key" | "window";

/** A delivery of a run. */
export interface RunDelivery {
  runId: string;
  deliveryId: string;
  /** From 1, in the order in which they came. */
  position: number;
  automationUid: string | null;
  /** `repeated` in a run that repeats the one that the delivery came to. */
  kind: DispositionKind | "repeated";
  key: string | null;
  /** Whether the payload had no value for the key. */
  lacksKey: boolean;
  /** The runs that it has replaced. */
  replaced: string[];
  /** What the run that it started could not start before; nothing for one that could start at once. */
  waitedFor: WaitedFor | null;
  at: string;
  /** Whether its run waits for its key, or for the end of its window. */
  isHeld: boolean;
}

/** A delivery of the run that it came to. */
export type Disposition = RunDelivery & { kind: DispositionKind };

/** What follows from an acceptance for those who execute runs. */
export interface KeyEffects {
  /** Runs whose end was asked for. */
  ended: EndedMember[];
  /** Runs that have got a message. */
  messaged: string[];
}

/** Why a run of a key does not start. */
export type KeyHold =
  | { kind: "key"; key: string; holder: string | null }
  | { kind: "window"; endsAt: string };

/** What a window was opened with, to tell whether that is in force still. */
export function windowSetting({ quietMs, longestMs }: Debounce): string {
  return `${quietMs}/${longestMs}`;
}

/** Windows of an automation that were opened with one setting. */
export interface OpenWindows {
  factoryUid: string;
  automationUid: string;
  setting: string;
}

/** Keeps keys and windows. What opens them is the acceptance of a delivery. */
export interface RunKeyStore {
  /** Ends the windows that are over, and lets go what waits for a run that is blocked for too long. @returns how many */
  closeDueWindows(at: string, limit: number): Promise<number>;
  /** When the next one of these is due, which may be now; nothing where there is none. */
  findNextWindowEnd(at: string): Promise<string | undefined>;
  /** Keys that runs wait for although no run has them: a server of an earlier version has ended that one. */
  listStrandedKeys(at: string, limit: number): Promise<string[]>;
  /** Lets the oldest run of each of these keys go, unless another one has it. */
  releaseKeys(keys: readonly string[], at: string): Promise<void>;
  listOpenWindows(): Promise<OpenWindows[]>;
  /** Ends windows before their time. @returns how many, which is less than the limit once none is left */
  endWindows(windows: OpenWindows, at: string, limit: number): Promise<number>;
  /** The deliveries of a run, in the order in which they came; empty for one whose automation has no key. */
  listRunDeliveries(runId: string, page: { after: number; limit: number }): Promise<RunDelivery[]>;
  /** A delivery of a run; nothing for one that is not of it, and for a run whose automation has no key. */
  findRunDelivery(runId: string, deliveryId: string): Promise<RunDelivery | undefined>;
  /** What became of a delivery, for each automation with a key. */
  listDispositions(deliveryId: string): Promise<Disposition[]>;
}

/** The key of what happened, of which several deliveries tell an automation, each with an identity of its own. */
export function happeningKey(automationUid: string, happening: string): Buffer {
  const text = `${automationUid}\0happening\0${happening}`;
  return hash("sha256", text, "buffer").subarray(0, HAPPENING_KEY_BYTES);
}

/** Half of a SHA-256: no two keys are equal by chance, and the index stays small. */
const HAPPENING_KEY_BYTES = 16;
