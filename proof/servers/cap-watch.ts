import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 250;
const RUN = /(?:^|\0)MILLRACE_RUN_ID=([^\0]+)/;
const IN_WORKSPACE = /(?:^|\0)HOME=[^\0]*\/workspaces\//;

/** Which runs have agents at work on this machine, look by look. */
export interface CapWatch {
  stop(): Promise<void>;
  /** How many of some runs had agents at work at the same time, in two looks in a row: what resumes may be ended in between. */
  mostAtOnce(runs: ReadonlySet<string>): number;
}

/** Looks at the processes of all nodes, as only the machine that they share can. */
export function watchAgents(): CapWatch {
  const looks: Set<string>[] = [];
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      looks.push(new Set(readdirSync("/proc").flatMap(runOfAgent)));
      await sleep(LOOK_MS);
    }
  })();
  return {
    stop() {
      isOver = true;
      return looking;
    },
    mostAtOnce(runs) {
      const counts = looks.map((look) => [...look].filter((run) => runs.has(run)).length);
      return counts.reduce((most, count, at) => Math.max(most, Math.min(count, counts[at + 1] ?? 0)), 0);
    },
  };
}

/** The run of an agent that is at work: one that was stopped by a signal does nothing. */
function runOfAgent(pid: string): string[] {
  if (!/^\d+$/.test(pid)) return [];
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    const run = RUN.exec(environment)?.[1];
    if (!run || !IN_WORKSPACE.test(environment)) return [];
    return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, "latin1")) ? [] : [run];
  } catch {
    return [];
  }
}
