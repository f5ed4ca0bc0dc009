import type { Millrace, Models } from "../../client/client.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { printError, printJson } from "../output.ts";

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
