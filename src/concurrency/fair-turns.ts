import { untilAborted } from "./promises.ts";

/** A bounded number of turns at the same time, of which no key can take all. */
export interface FairTurns {
  /**
   * Waits for a turn. Those who wait come in their order, except where their key has as many turns as it may.
   * @returns what ends the turn; nothing when as many wait already as may
   */
  take(key: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

export interface TurnLimits {
  running: number;
  runningOfKey: number;
  waiting: number;
  waitingOfKey: number;
}

interface Waiting {
  key: string;
  begin: () => void;
}

export function fairTurns(limits: TurnLimits): FairTurns {
  const running = new Map<string, number>();
  const waiting: Waiting[] = [];
  let total = 0;

  const ofKey = (key: string) => running.get(key) ?? 0;
  const isFree = (key: string) => total < limits.running && ofKey(key) < limits.runningOfKey;

  function begin(key: string): () => void {
    total += 1;
    running.set(key, ofKey(key) + 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      total -= 1;
      const left = ofKey(key) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
      beginNext();
    };
  }

  function beginNext(): void {
    const next = waiting.findIndex(({ key }) => isFree(key));
    if (next >= 0) waiting.splice(next, 1)[0]?.begin();
  }

  return {
    async take(key, signal) {
      signal.throwIfAborted();
      if (isFree(key)) return begin(key);
      if (waiting.length >= limits.waiting) return undefined;
      if (waiting.filter((other) => other.key === key).length >= limits.waitingOfKey) return undefined;
      let end: (() => void) | undefined;
      const mine: Waiting = { key, begin: () => {} };
      const begun = new Promise<void>((resolve) => {
        mine.begin = () => {
          end = begin(key);
          resolve();
        };
      });
      waiting.push(mine);
      try {
        await untilAborted(begun, signal);
      } catch (error) {
        const place = waiting.indexOf(mine);
        if (place >= 0) waiting.splice(place, 1);
        // Its turn may have come in the same moment.
        end?.();
        throw error;
      }
      return end;
    },
  };
}
