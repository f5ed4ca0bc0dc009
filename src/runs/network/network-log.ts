import { serial } from "../../concurrency/serial.ts";
import type { Reach, Reaches, RefusedReach } from "./reaches.ts";

/** What the programs of a turn have reached, on its way to the store. */
export interface NetworkLog {
  /** Follows another program of the turn. @returns what is called with all that it has reached so far */
  follow(): (reaches: Reaches) => void;
  /** Resolves when everything that was told has been stored, or could not be. */
  ended(): Promise<void>;
}

/** @param keep stores all that the turn has reached so far */
export function networkLog(
  keep: (reaches: Reaches) => Promise<void>,
  onError: (error: unknown) => void,
): NetworkLog {
  const programs: Reaches[] = [];
  const keeping = serial();
  return {
    follow() {
      const index = programs.push({ reached: [], refused: [] }) - 1;
      return (reaches) => {
        programs[index] = reaches;
        if (reaches.reached.length + reaches.refused.length === 0) return;
        void keeping.run(() => keep(sumReaches(programs))).catch(onError);
      };
    },
    ended: () => keeping.ended(),
  };
}

function sumReaches(programs: readonly Reaches[]): Reaches {
  return {
    reached: sumBy(
      programs.flatMap(({ reached }) => reached),
      ({ host, port }: Reach) => `${host} ${port}`,
    ),
    refused: sumBy(
      programs.flatMap(({ refused }) => refused),
      ({ host, port, reason }: RefusedReach) => `${host} ${port} ${reason}`,
    ),
  };
}

function sumBy<Entry extends Reach>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Entry[] {
  const sums = new Map<string, Entry>();
  for (const entry of entries) {
    const before = sums.get(keyOf(entry));
    sums.set(keyOf(entry), { ...entry, requests: entry.requests + (before?.requests ?? 0) });
  }
  return [...sums.values()];
}
