/** What becomes of an event while an earlier one of the same key is not done. */
export const WHILE_RUNNING = ["queue", "join", "replace", "continue"] as const;
export type WhileRunning = (typeof WHILE_RUNNING)[number];

/** What makes events one thing, and what becomes of those that come while it is at work. */
export interface KeyedConcurrency {
  /** A template of the key; see `key-template.ts`. */
  key: string;
  whileRunning: WhileRunning;
  /** How long after its creation a run can be continued, or holds its key while it is blocked; in milliseconds. */
  forgetAfterMs: number;
  /** How many turns a run can have that deliveries continue. */
  maxTurns: number;
}

/** How long an event waits for others that it becomes one run with; in milliseconds. */
export interface Debounce {
  /** Since the last one. */
  quietMs: number;
  /** Since the first one. */
  longestMs: number;
}

/** What makes deliveries to an automation one thing; left out where each one is a run of its own. */
export interface DeliveryGrouping {
  keyed?: KeyedConcurrency;
  debounce?: Debounce;
}

export const DEFAULT_FORGET_AFTER = "24h";
export const DEFAULT_MAX_TURNS = 50;
/** As a multiple of the quiet time. */
export const DEFAULT_LONGEST = 10;
/** A run holds no more deliveries, and no more bytes of their bodies; the next one begins another run. */
export const MAX_JOINED = 500;
export const MAX_JOINED_BYTES = 64 * 1024 * 1024;
