import type { Priority } from "../../definitions/definition.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../time/duration.ts";

/**
 * When a run counts as having come, after it did. A batch run that has waited for an hour is as urgent as a new normal one, and a
 * normal run that has waited for a day as a new interactive one: so none waits for ever behind more urgent ones.
 */
const LATER_MS: Readonly<Record<Priority, number>> = { interactive: -DAY_MS, normal: 0, batch: HOUR_MS };
/** Clocks of servers can differ by as much. */
const SKEW_MS = MINUTE_MS;

/**
 * The instant by which a run has its turn among those of its factory.
 * @returns null where that is its creation
 */
export function queueAt(priority: unknown, createdAt: string): string | null {
  const isKnown = typeof priority === "string" && Object.hasOwn(LATER_MS, priority);
  const laterMs = isKnown ? LATER_MS[priority as Priority] : 0;
  return laterMs === 0 ? null : new Date(Date.parse(createdAt) + laterMs).toISOString();
}

/** How urgent a run is at an instant, with how long it has waited; the smallest is the most urgent. */
export function urgencyOf(queuedAt: string, at: string): number {
  const laterMs = Date.parse(queuedAt) - Date.parse(at) - SKEW_MS;
  if (laterMs > 0) return 1;
  return laterMs > LATER_MS.interactive ? 0 : -1;
}

/** The last turn of someone, on a clock that turns alone move. */
export interface Turn {
  owner: string;
  start: number;
  finish: number;
}

/** Who among some comes next, so that each has as many turns as its weight says. */
export interface Turns {
  /** Negative where the first of two comes next. */
  compare(one: string, other: string): number;
  /** Gives someone a turn. */
  take(owner: string): void;
  /** The turns that were given here. */
  taken(): Turn[];
}

/**
 * Start-time fair queueing: the smallest start comes next. No one saves turns up, or loses any, while there is nothing to
 * do: a start is never before the last one that was given.
 */
export function turnsAfter(earlier: readonly Turn[], weightOf: (owner: string) => number = () => 1): Turns {
  const finishes = new Map<string, number>();
  const given = new Map<string, Turn>();
  let clock = 0;
  for (const { owner, start, finish } of earlier) {
    finishes.set(owner, finish);
    clock = Math.max(clock, start);
  }
  const finishOf = (owner: string) => finishes.get(owner) ?? 0;
  const startOf = (owner: string) => Math.max(clock, finishOf(owner));
  return {
    // Of two that could both start now, the one that has waited longer.
    compare: (one, other) => startOf(one) - startOf(other) || finishOf(one) - finishOf(other),
    take(owner) {
      clock = startOf(owner);
      const finish = clock + 1 / weightOf(owner);
      finishes.set(owner, finish);
      given.set(owner, { owner, start: clock, finish });
    },
    taken: () => [...given.values()],
  };
}
