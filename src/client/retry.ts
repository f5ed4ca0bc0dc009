import { ConnectionError } from "./errors.ts";

/** How often long waits retry to reach the server: for more than half a minute, which a restart takes. */
export const PATIENT_RETRIES = 8;

const MAX_OBEYED_MS = 60_000;
const FIRST_MS = 500;
const MAX_MS = 8_000;
const JITTER = 0.25;

/** Whether a call may be retried. The server's `x-should-retry` takes precedence. */
export function mayRetry(outcome: Response | ConnectionError): boolean {
  if (outcome instanceof ConnectionError) return outcome.retryable;
  const word = outcome.headers.get("x-should-retry");
  if (word === "true" || word === "false") return word === "true";
  return [408, 409, 429].includes(outcome.status) || outcome.status >= 500;
}

/**
 * How long to wait before the next attempt: as long as `Retry-After` asks, if that is not over a minute, and else a time
 * that doubles, in which clients that failed together come apart.
 * @param attempt counts from 0
 */
export function retryDelayMs(
  attempt: number,
  retryAfter: string | null = null,
  now = Date.now(),
  random = Math.random(),
): number {
  const asked = retryAfter === null ? 0 : retryAfterMs(retryAfter, now);
  if (asked > 0 && asked <= MAX_OBEYED_MS) return asked;
  return Math.min(FIRST_MS * 2 ** attempt, MAX_MS) * (1 - JITTER * random);
}

/** Seconds, or the date of the next attempt. NaN, which compares with nothing, for anything else. */
function retryAfterMs(text: string, now: number): number {
  const seconds = Number(text);
  return Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1_000;
}
