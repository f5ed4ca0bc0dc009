import { setTimeout as sleep } from "node:timers/promises";
import { FENCE_AT } from "../../runs/rules/fence.ts";
import { ServerUnreachable } from "./server-answer.ts";
import type { TurnsHere } from "./turns-here.ts";
import type { WorkOptions } from "./work.ts";

/** What a worker that claims turns and the beats that keep them know of each other. */
export interface Beat {
  /** For how long a turn is this process's after a beat, as the server has said last. */
  leaseMs: number;
  /** A beat that waits for news does not name turns that have begun since: another one takes its place. */
  again(): void;
}

/** Between two requests when the server did not answer the first one. */
export const RETRY_MS = 1_000;
const MIN_PATIENCE_MS = 500;

/** Takes in how long a lease is. */
export function hearLease(leaseMs: number, beat: Beat, turns: TurnsHere): void {
  beat.leaseMs = leaseMs;
  turns.fenceAfter(FENCE_AT * leaseMs);
}

/** How long the server wants not to be asked, in milliseconds. */
export function retryAfterOf(error: unknown): number {
  return error instanceof ServerUnreachable ? error.retryAfterMs : 0;
}

/** How many turns a process says that it executes. A worker that was started for a run has no room for another one. */
export function executingOf({ turns, only }: WorkOptions): number {
  return only ? 1 : turns.size;
}

/** For how long an answer is waited for before it is asked for again, in whole milliseconds. */
export function patienceOf({ leaseMs }: Beat): number {
  return Math.max(MIN_PATIENCE_MS, Math.floor(leaseMs / 6));
}

/** Waits, unless the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
