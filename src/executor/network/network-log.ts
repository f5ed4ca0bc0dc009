import { serial } from "../../concurrency/shared-work.ts";
import { type Reaches, sumReaches } from "../../runs/turn/reaches.ts";
import { type ModelUsage, sumUsage } from "../output/model-usage.ts";
import type { ModelTrouble } from "./proxy/model-troubles.ts";

/** What the proxies of a turn's programs have seen, on its way to the store. */
export interface NetworkLog {
  /** Follows another program of the turn. @returns what is called with all that its proxy has seen so far */
  follow(): (report: NetworkReport) => void;
  /** What all of them have seen so far. */
  report(): NetworkReport;
  /** Resolves when everything that was told has been stored, or could not be. */
  ended(): Promise<void>;
}

interface NetworkLogOptions {
  /** What the proxies of programs have seen that ended before this executor took the turn up. */
  earlier?: NetworkReport | undefined;
  /** Stores all that the turn has reached so far. */
  keepReaches(reaches: Reaches): Promise<void>;
  /** Stores all that models have told of their use in the turn so far. */
  keepUsage(usage: readonly ModelUsage[]): Promise<void>;
  onError(error: unknown): void;
}

export function networkLog({ earlier, keepReaches, keepUsage, onError }: NetworkLogOptions): NetworkLog {
  const programs: NetworkReport[] = earlier ? [earlier] : [];
  const keeping = serial();
  const report = (): NetworkReport => ({
    reaches: sumReaches(programs.map(({ reaches }) => reaches)),
    usage: sumUsage(programs.flatMap(({ usage }) => usage)),
    // Those of the program that was started last, which is the agent's.
    troubles: programs.at(-1)?.troubles ?? [],
  });
  return {
    report,
    follow() {
      const index = programs.push({ reaches: { reached: [], refused: [] }, usage: [] }) - 1;
      return (told) => {
        programs[index] = told;
        const { reaches, usage } = report();
        if (reaches.reached.length + reaches.refused.length > 0)
          void keeping.run(() => keepReaches(reaches)).catch(onError);
        if (usage.length > 0) void keeping.run(() => keepUsage(usage)).catch(onError);
      };
    },
    ended: () => keeping.ended(),
  };
}

/** All that the proxy of a program has seen so far. */
export interface NetworkReport {
  reaches: Reaches;
  /** What models have told of their use. */
  usage: readonly ModelUsage[];
  /** The models that have not answered at last; left out by a supervisor of an earlier version. */
  troubles?: readonly ModelTrouble[];
}
