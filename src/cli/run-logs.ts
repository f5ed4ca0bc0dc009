import { text } from "node:stream/consumers";
import { dataOf, type Models } from "../client/client.ts";
import { MillraceError } from "../error.ts";
import { type Client, type ConnectOptions, connect } from "./connect.ts";
import { print, printError, printJson } from "./output.ts";

interface LogsOptions extends ConnectOptions {
  follow?: boolean;
}

/** Prints what the agent of a run wrote, so far or until the run ends. */
export async function logs(named: string | undefined, options: LogsOptions): Promise<void> {
  const client = connect(options);
  const id = named ?? (await latestRun(client)).run_id;
  const wrote = options.follow ? await follow(client, id, options) : await printOutput(client, id, options);
  if (!wrote && !options.json) printError(nothingWritten(await findRun(client, id)));
}

async function latestRun(client: Client): Promise<Models["RunItem"]> {
  const { runs } = await dataOf(client.GET("/agent/runs", { params: { query: { limit: 1 } } }));
  if (!runs[0]) {
    throw new MillraceError("resource_not_found", "There are no runs yet.", {
      remedy: "Start one: `millrace runs create --prompt TEXT`.",
    });
  }
  printError(`Run ${runs[0].run_id}, ${runs[0].title}:`);
  return runs[0];
}

function findRun(client: Client, runId: string): Promise<Models["RunItem"]> {
  return dataOf(client.GET("/agent/runs/{runId}", { params: { path: { runId } } }));
}

/** @returns whether there was something to print */
async function printOutput(client: Client, id: string, { json }: LogsOptions): Promise<boolean> {
  const stream = await transcript(client, id, false);
  if (json) {
    printJson({ run_id: id, transcript: stream ? await text(stream) : "" });
    return true;
  }
  let wrote = false;
  for await (const chunk of stream ?? []) {
    process.stdout.write(chunk);
    wrote = true;
  }
  return wrote;
}

/** @returns whether there was something to print */
async function follow(client: Client, id: string, { json }: LogsOptions): Promise<boolean> {
  let wrote = false;
  const stream = await transcript(client, id, true);
  for await (const { event, data } of stream ? serverSentEvents(stream) : []) {
    if (json) print(JSON.stringify({ event, ...data }));
    else if (event === "output")
      (data.stream === "stderr" ? process.stderr : process.stdout).write(String(data.text));
    if (event === "output") wrote = true;
    if (event === "end" && data.state !== "SUCCEEDED") process.exitCode = 1;
  }
  return wrote;
}

function nothingWritten({ run_id, state, status_message }: Models["RunItem"]): string {
  const why = status_message ? ` ${status_message.message}` : "";
  return `The agent of run ${run_id} wrote nothing; the run is ${state}.${why}`;
}

/** The stream of a transcript; nothing for one that is empty. */
async function transcript(
  client: Client,
  runId: string,
  follow: boolean,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const params = { path: { runId }, query: { follow } };
  const answer = client.GET("/agent/runs/{runId}/transcript", { params, parseAs: "stream" });
  return dataOf(
    answer as Promise<{ data?: ReadableStream<Uint8Array>; error?: unknown; response: Response }>,
  );
}

/** The events of a `text/event-stream`, each with its data as JSON. */
async function* serverSentEvents(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder();
  let unread = "";
  for await (const chunk of stream) {
    unread += decoder.decode(chunk, { stream: true });
    const blocks = unread.split("\n\n");
    unread = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(
        block
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      const data = fields.get("data");
      if (data !== undefined)
        yield { event: fields.get("event") ?? "message", data: JSON.parse(data) as Record<string, unknown> };
    }
  }
}
