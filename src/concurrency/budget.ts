import { MINUTE_MS } from "../time/duration.ts";
/** Milliseconds of a clock that only goes forward. */
export type Clock = () => number;

/** So many a minute for each key, over a window that slides. */
export interface RateBudget {
  readonly perMinute: number;
  /** Takes one of the key's places. @returns 0, or the whole seconds (1..60) until there is a place again */
  take(key: string): number;
}

/** Remembers the time of each that was let through in the last minute, so it is exact, and no larger than its rate. */
export function rateBudget(perMinute: number, clock: Clock): RateBudget {
  const windows = new Map<string, Window>();
  return {
    perMinute,
    take(key) {
      const now = clock();
      let window = windows.get(key);
      if (!window) {
        window = { times: [], first: 0 };
        windows.set(key, window);
      }
      forget(window, now - MINUTE_MS);
      if (window.times.length - window.first < perMinute) {
        window.times.push(now);
        return 0;
      }
      return wholeSeconds((window.times[window.first] ?? now) + MINUTE_MS - now);
    },
  };
}

interface Window {
  /** In order; those before `first` are over. */
  times: number[];
  first: number;
}

function forget(window: Window, until: number): void {
  while (window.first < window.times.length && (window.times[window.first] ?? 0) <= until) window.first += 1;
  // Moving the rest to the front each time would cost more than the check itself.
  if (window.first * 2 > window.times.length) {
    window.times = window.times.slice(window.first);
    window.first = 0;
  }
}

/** So many a minute for each key, such as the failures of an address; after them the key is blocked until its minute has passed. */
export interface MinuteBudget {
  /** @returns 0, or the whole seconds (1..60) for which the key is blocked */
  blockedFor(key: string): number;
  count(key: string): void;
  /** How many keys are remembered. */
  size(): number;
}

/**
 * Counts in the minute that starts with the first count of a key.
 * @param mostKeys how many keys are remembered: beyond that the older half is forgotten, which is better for an attacker
 *   with a million addresses than for the memory of the server, and takes nothing from anybody else
 */
export function minuteBudget(perMinute: number, clock: Clock, mostKeys = 50_000): MinuteBudget {
  let young = new Map<string, CountedMinute>();
  let old = new Map<string, CountedMinute>();
  const current = (key: string) => {
    const minute = young.get(key) ?? old.get(key);
    return minute && minute.ends > clock() ? minute : undefined;
  };
  return {
    blockedFor(key) {
      const minute = current(key);
      return minute && minute.count >= perMinute ? wholeSeconds(minute.ends - clock()) : 0;
    },
    count(key) {
      const minute = current(key);
      if (minute) {
        minute.count += 1;
        return;
      }
      if (young.size >= mostKeys / 2) {
        old = young;
        young = new Map();
      }
      young.set(key, { ends: clock() + MINUTE_MS, count: 1 });
    },
    size: () => young.size + old.size,
  };
}

interface CountedMinute {
  ends: number;
  count: number;
}

function wholeSeconds(milliseconds: number): number {
  return Math.min(60, Math.max(1, Math.ceil(milliseconds / 1_000)));
}
