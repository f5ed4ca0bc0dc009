import type { Millrace, Models } from "../../client/client.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { ago, printError, printJson } from "../output.ts";

/** Waits until a run has ended or needs someone, and says so. The command ends with 1 unless the run is as it should be. */
export async function awaitEnd(
  client: Millrace,
  id: string,
  { json, wanted = "SUCCEEDED" }: { json?: boolean | undefined; wanted?: Models["RunState"] },
): Promise<void> {
  const run = await client.runs.wait(id);
  if (json) printJson(run);
  else printError(endText(run));
  if (run.state !== wanted) process.exitCode = EXIT_CODES.no;
}

/** How a run has ended, in a line. */
export function endText({ run_id, state, status_message }: Models["RunItem"]): string {
  return `Run ${run_id} is ${state}.${status_message ? ` ${status_message.message}` : ""}`;
}

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
