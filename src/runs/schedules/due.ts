// Own file: the rule about missed times, pure and tested by itself.
import type { CronSchedule } from "../../definitions/cron.ts";
import type { Automation } from "../../definitions/definition.ts";

/**
 * So long a due time is on time: a busy server and a quick restart are a little late. What could not fire by then was
 * missed, because nothing here was awake, or because the clock was set forward.
 */
export const ON_TIME_MS = 10_000;

/** When something is due, and what becomes of the times that it missed. */
export interface Dueness {
  cron: CronSchedule;
  missed: Automation["missed"];
}

/**
 * The due times to fire now, oldest first: each that is on time and, where the policy says `once`, the newest of those
 * that were missed. Pure: the same question has the same answer, and the store knows which of them have fired before.
 * @param after milliseconds, as `now`; due times up to then are no longer asked about
 */
export function dueTimes({ cron, missed }: Dueness, after: number, now: number): Date[] {
  const late = now - ON_TIME_MS;
  const due: Date[] = [];
  if (missed === "once" && after < late) {
    const newest = cron.last(new Date(late));
    if (newest && newest.getTime() > after) due.push(newest);
  }
  for (let at = cron.next(new Date(Math.max(after, late))); at && at.getTime() <= now; at = cron.next(at)) {
    due.push(at);
  }
  return due;
}
