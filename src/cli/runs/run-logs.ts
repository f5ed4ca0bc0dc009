import type { Millrace, Models } from "../../client/client.ts";
import { type ConnectOptions, connect } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { printError, printJson, printJsonLine } from "../output.ts";
import { terminalText, writeLines } from "../terminal-text.ts";
import { findRunOrLatest } from "./find-run.ts";
import { endText } from "./run-text.ts";

interface LogsOptions extends ConnectOptions {
  follow?: boolean;
  raw?: boolean;
}

/** Prints what the agent of a run wrote, so far or until the run ends. */
export async function logs(named: string | undefined, options: LogsOptions): Promise<void> {
  const client = connect(options);
  const id = await findRunOrLatest(client, named);
  const wrote = options.follow
    ? await followRun(client, id, options)
    : await printOutput(client, id, options);
  if (options.json || (wrote && process.exitCode === undefined)) return;
  const run = await client.runs.get(id);
  printError(wrote ? endText(run) : nothingWritten(run));
}

/** @returns whether there was something to print */
async function printOutput(client: Millrace, id: string, { json, raw }: LogsOptions): Promise<boolean> {
  if (json) {
    printJson({ run_id: id, transcript: await client.runs.transcript(id) });
    return true;
  }
  const { body } = await client.runs.transcript(id).asResponse();
  const show = raw ? undefined : terminalText();
  const output = writeLines("stdout");
  let wrote = false;
  for await (const chunk of body ?? []) {
    output.write(show ? show.take(chunk) : chunk);
    wrote = true;
  }
  if (show) output.write(show.end());
  output.end();
  return wrote;
}

/**
 * Prints what the agent of a run writes until the run ends. The command ends with 1 unless that is well.
 * @returns whether there was something to print
 */
export async function followRun(
  client: Millrace,
  id: string,
  { json, raw }: Pick<LogsOptions, "json" | "raw">,
): Promise<boolean> {
  const shown = { stdout: terminalText(), stderr: terminalText() };
  const output = { stdout: writeLines("stdout"), stderr: writeLines("stderr") };
  let wrote = false;
  for await (const { event, data } of client.runs.follow(id)) {
    if (json) printJsonLine({ event, ...data });
    else if (event === "output") {
      const stream = data.stream === "stderr" ? "stderr" : "stdout";
      output[stream].write(raw ? data.text : shown[stream].take(Buffer.from(data.text)));
    }
    if (event === "output") wrote = true;
    if (event === "end" && data.state !== "SUCCEEDED") process.exitCode = EXIT_CODES.no;
  }
  for (const stream of ["stdout", "stderr"] as const) {
    output[stream].write(shown[stream].end());
    output[stream].end();
  }
  return wrote;
}

function nothingWritten({ run_id, state, status_message }: Models["RunItem"]): string {
  const why = status_message ? ` ${status_message.message}` : "";
  return `The agent of run ${run_id} wrote no output. The run is ${state}.${why}`;
}
