import type { Models } from "../../api/models.ts";
import { durationText } from "../time/time-text.ts";
import { shortCostText } from "./cost-text.ts";

type Run = Models["RunItem"];

/** How long the agents of a run have worked, in words; nothing before its first turn has ended. */
export function workText(run: Run): string {
  const { work_time = run.run_time } = run;
  const ms = millisecondsOf(work_time);
  if (ms !== undefined) return durationText(ms);
  if (!run.started_at || !run.finished_at) return "";
  return durationText(Date.parse(run.finished_at) - Date.parse(run.started_at));
}

/** What the models of a run have cost, as far as its harness tells. */
export function runCostText(run: Run): string {
  const cost = run.cost_usd ?? run.request_usage?.inference_cost_usd;
  return cost === undefined ? "" : shortCostText(cost);
}

/** Reads a duration of ISO 8601 in hours, minutes and seconds, `PT1H2M3.5S`. */
export function millisecondsOf(text: string | undefined): number | undefined {
  const [whole, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?$/.exec(text ?? "") ?? [];
  if (whole === undefined) return undefined;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}
