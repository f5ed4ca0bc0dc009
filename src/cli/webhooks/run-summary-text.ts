import type { Models } from "../../client/client.ts";
import { ago } from "../output.ts";

/** How runs went, as a server of an earlier version does not tell it. */
type Summary = Partial<Models["RunSummary"]> | undefined;

/** The last run, for a cell of a table: its state and its age. */
export function lastRunText(summary: Summary): string {
  const last = summary?.last_run;
  return last ? `${last.state} ${ago(last.created_at)}` : "-";
}

/** The share of the last ended runs that succeeded. */
export function successText(summary: Summary): string {
  const rate = summary?.success_rate;
  return rate == null ? "-" : `${Math.round(rate * 100)}%`;
}

/** The same for a person who asks for one thing. */
export function summaryFields(summary: Summary): Record<string, string | null> {
  const { last_run: last, ended_runs: ended } = summary ?? {};
  const rated = ended ? ended.succeeded + ended.failed : 0;
  return {
    "last run": last ? `${last.run_id}\n${lastRunText(summary)}: ${last.title}` : "none",
    "pull request": last?.pull_request_url ?? null,
    success: rated > 0 ? `${successText(summary)} of the last ${rated}` : null,
  };
}
