import { serial } from "../../concurrency/serial.ts";
import { type ModelUsage, sumUsage } from "../harness/model-usage.ts";
import type { NetworkReport } from "../supervisor/supervisor-messages.ts";
import { type Reaches, sumReaches } from "./reaches.ts";

/** What the proxies of a turn's programs have seen, on its way to the store. */
export interface NetworkLog {
  /** Follows another program of the turn. @returns what is called with all that its proxy has seen so far */
  follow(): (report: NetworkReport) => void;
  /** Resolves when everything that was told has been stored, or could not be. */
  ended(): Promise<void>;
}

interface NetworkLogOptions {
  /** Stores all that the turn has reached so far. */
  keepReaches(reaches: Reaches): Promise<void>;
  /** Stores all that models have told of their use in the turn so far. */
  keepUsage(usage: readonly ModelUsage[]): Promise<void>;
  onError(error: unknown): void;
}

export function networkLog({ keepReaches, keepUsage, onError }: NetworkLogOptions): NetworkLog {
  const programs: NetworkReport[] = [];
  const keeping = serial();
  return {
    follow() {
      const index = programs.push({ reaches: { reached: [], refused: [] }, usage: [] }) - 1;
      return (report) => {
        programs[index] = report;
        const reaches = sumReaches(programs.map((program) => program.reaches));
        const usage = sumUsage(programs.flatMap((program) => program.usage));
        if (reaches.reached.length + reaches.refused.length > 0)
          void keeping.run(() => keepReaches(reaches)).catch(onError);
        if (usage.length > 0) void keeping.run(() => keepUsage(usage)).catch(onError);
      };
    },
    ended: () => keeping.ended(),
  };
}
