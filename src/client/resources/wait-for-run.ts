import { WaitTimeoutError } from "../errors.ts";
import type { CallOptions } from "../options.ts";
import { after, pause } from "../pause.ts";
import { PATIENT_RETRIES } from "../retry.ts";
import type { Models } from "../typed-paths.ts";
import type { Runs } from "./runs.ts";

export interface WaitOptions extends Omit<CallOptions, "timeoutMs" | "idempotencyKey"> {
  /** Maximum time to wait (default: no limit). */
  timeoutMs?: number;
}

const POLL = "30s";
/** Minimum interval between requests to a server that responds immediately. */
const ASK_EVERY_MS = 1_000;
const SETTLED: readonly Models["RunState"][] = ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED", "BLOCKED"];

/** Requests a run with the longest wait that the server allows, until there is nothing more to wait for. */
export async function waitForRun(
  runs: Pick<Runs, "get">,
  runId: string,
  { timeoutMs = Number.POSITIVE_INFINITY, signal, ...options }: WaitOptions,
): Promise<Models["RunItem"]> {
  const over = new AbortController();
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const timer = after(timeoutMs, () =>
    over.abort(new WaitTimeoutError(`Run ${runId} has not ended after ${timeoutMs} ms.`)),
  );
  try {
    for (;;) {
      const asked = performance.now();
      const run = await runs.get(
        runId,
        { wait: POLL },
        { maxRetries: PATIENT_RETRIES, ...options, signal: either },
      );
      if (SETTLED.includes(run.state)) return run;
      await pause(asked + ASK_EVERY_MS - performance.now(), either);
    }
  } finally {
    timer.cancel();
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** How long the server may delay a response that was requested with `wait`. */
export function longPollMs(wait: string | undefined): number {
  const [, count = "0", unit = "ms"] = /^(\d+)(ms|s|m)$/.exec(wait ?? "") ?? [];
  return Number(count) * (UNIT_MS[unit] ?? 0);
}
