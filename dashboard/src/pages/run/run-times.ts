import type { Models } from "../../api/client.ts";
import { millisecondsOf } from "../../parts/runs/run-figures.ts";

/** How long an agent has worked on a run, and how long that was from its start to its end, in milliseconds. */
export function runTimes(run: Models["RunItem"]): { workedMs?: number; totalMs?: number } {
  const { started_at: start, finished_at: end, run_time, work_time = run_time } = run;
  const totalMs = start && end ? Math.max(0, Date.parse(end) - Date.parse(start)) : undefined;
  const workedMs = millisecondsOf(work_time) ?? totalMs;
  return {
    ...(workedMs === undefined ? {} : { workedMs }),
    ...(totalMs === undefined ? {} : { totalMs }),
  };
}
