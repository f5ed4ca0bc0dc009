import { type Debounce, type KeyedConcurrency, MAX_JOINED, MAX_JOINED_BYTES } from "./definition.ts";

/** A delivery that fires an automation. */
export interface FiringDelivery {
  /** In milliseconds; never before the one that comes before it. */
  at: number;
  /** Nothing where the payload has no value for the key. */
  key: string | undefined;
  /** Of its body, in bytes; left out where it is not known. */
  size?: number;
}

/** A run of a simulation. */
export interface SimulatedRun {
  /** The places of its deliveries, from 0. */
  deliveries: number[];
  /** How many of them came after it started: messages to it, of which one turn may take several. */
  continued: number;
  /** Whether it was replaced before it started, or while it worked. */
  replaced?: "waiting" | "working";
}

export interface SimulationOptions {
  keyed?: KeyedConcurrency | undefined;
  debounce?: Debounce | undefined;
  /** How long each turn takes, in milliseconds. */
  runMs: number;
}

interface Run extends SimulatedRun {
  turns: number;
  /** The bodies of its deliveries, in bytes. */
  bytes: number;
  createdAt: number;
  /** When its window ends; its creation where it has none. */
  readyAt: number;
  windowOpenedAt: number;
  /** When its last turn begins, and ends. */
  startsAt: number;
  endsAt: number;
}

/** The runs of a key, as far as they have not ended, and the last one. */
interface KeyState {
  waiting: Run[];
  working: Run | undefined;
  last: Run | undefined;
}

/**
 * Finds out which runs deliveries make by the rules of an automation (docs/concurrency.md), if each turn takes as long. Pure.
 * @returns the runs in the order of their first deliveries, those that are replaced included
 */
export function simulateRuns(
  deliveries: readonly FiringDelivery[],
  { keyed, debounce, runMs }: SimulationOptions,
): SimulatedRun[] {
  const runs: Run[] = [];
  const states = new Map<string, KeyState>();

  deliveries.forEach(({ at, key, size = 0 }, place) => {
    // Without a block for keys, a window is that of the whole automation.
    const found = keyed ? key : debounce && "";
    if (found === undefined) {
      runs.push(newRun(place, at, size));
      return;
    }
    const state = states.get(found) ?? { waiting: [], working: undefined, last: undefined };
    states.set(found, state);
    startDue(state, at, runMs, keyed === undefined);
    take(state, place, at, size);
  });
  return runs.map(({ deliveries: places, continued, replaced }) => ({
    deliveries: places,
    continued,
    ...(replaced ? { replaced } : {}),
  }));

  function take(state: KeyState, place: number, at: number, size: number): void {
    const policy = keyed?.whileRunning;
    const newest = state.waiting.at(-1);
    const isInWindow = newest !== undefined && newest.readyAt > at;
    if (policy === "replace") {
      const inherited = isInWindow ? newest.windowOpenedAt : at;
      replaceAll(state, at);
      begin(state, place, at, size, inherited);
    } else if (
      newest &&
      hasRoom(newest, size) &&
      (isInWindow || policy === "join" || policy === "continue")
    ) {
      give(newest, place, size);
      if (isInWindow) newest.readyAt = windowEnd(at, newest.windowOpenedAt);
    } else if (policy === "continue" && state.last && !newest && isContinuable(state.last, at)) {
      // One that waits and is full has not begun, so it is not continued.
      give(state.last, place, size);
      state.last.continued += 1;
      continueRun(state.last, at);
    } else begin(state, place, at, size, at);
  }

  function begin(state: KeyState, place: number, at: number, size: number, openedAt: number): void {
    const run = newRun(place, at, size);
    if (debounce) Object.assign(run, { readyAt: windowEnd(at, openedAt), windowOpenedAt: openedAt });
    runs.push(run);
    state.waiting.push(run);
    state.last = run;
    startDue(state, at, runMs, keyed === undefined);
  }

  function windowEnd(at: number, openedAt: number): number {
    return debounce ? Math.min(at + debounce.quietMs, openedAt + debounce.longestMs) : at;
  }

  function isContinuable(run: Run, at: number): boolean {
    if (!keyed || at - run.createdAt >= keyed.forgetAfterMs) return false;
    return run.turns < keyed.maxTurns || isBeforeTurn(run, at);
  }

  /** A message begins the turn after the one that works; what comes before that begins is part of it. */
  function continueRun(run: Run, at: number): void {
    const isInWindow = at < run.readyAt;
    if (isBeforeTurn(run, at) && !isInWindow) return;
    if (!isInWindow) run.turns += 1;
    if (at < run.endsAt && !isInWindow) {
      schedule(run, run.endsAt);
      return;
    }
    if (!isInWindow) run.windowOpenedAt = at;
    run.readyAt = windowEnd(at, run.windowOpenedAt);
    schedule(run, run.readyAt);
  }

  function schedule(run: Run, at: number): void {
    run.startsAt = at;
    run.endsAt = at + runMs;
  }
}

const isBeforeTurn = (run: Run, at: number) => run.startsAt > at;

const hasRoom = (run: Run, size: number) =>
  run.deliveries.length < MAX_JOINED && run.bytes + size <= MAX_JOINED_BYTES;

function newRun(place: number, at: number, size: number): Run {
  const never = { startsAt: Number.POSITIVE_INFINITY, endsAt: Number.POSITIVE_INFINITY };
  const first = { deliveries: [place], bytes: size, continued: 0, turns: 1 };
  return { ...first, createdAt: at, readyAt: at, windowOpenedAt: at, ...never };
}

function give(run: Run, place: number, size: number): void {
  run.deliveries.push(place);
  run.bytes += size;
}

/** Starts what waits, oldest first: one at a time, unless the automation has no key. */
function startDue(state: KeyState, at: number, runMs: number, areParallel: boolean): void {
  for (let [next] = state.waiting; next; [next] = state.waiting) {
    const free = areParallel ? Number.NEGATIVE_INFINITY : (state.working?.endsAt ?? Number.NEGATIVE_INFINITY);
    const startsAt = Math.max(next.readyAt, free);
    if (startsAt > at) return;
    next.startsAt = startsAt;
    next.endsAt = startsAt + runMs;
    state.working = next;
    state.waiting.shift();
  }
}

function replaceAll(state: KeyState, at: number): void {
  for (const run of state.waiting) run.replaced = "waiting";
  state.waiting = [];
  if (state.working && state.working.endsAt > at) {
    state.working.replaced = "working";
    state.working.endsAt = at;
  }
}
