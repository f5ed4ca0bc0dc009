import { Command } from "commander";
import { dataOf, type Models } from "../client/client.ts";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { ago, print, printFields, printJson, printTable } from "./output.ts";

interface CreateOptions extends ConnectOptions {
  prompt: string;
  title?: string;
}

interface ListOptions extends ConnectOptions {
  limit: string;
  state?: Models["RunState"][];
}

export function runsCommand(): Command {
  const runs = new Command("runs").description("executions of agents");
  asClientCommand(runs.command("create").description("start a run"))
    .requiredOption("--prompt <text>", "what the agent is asked to do")
    .option("--title <text>", "a title for people")
    .action(create);
  asClientCommand(runs.command("list").description("list runs, the last updated first"))
    .option("--limit <n>", "how many", "20")
    .option("--state <states...>", "only runs in these states")
    .action(list);
  asClientCommand(runs.command("get <id>").description("show a run")).action(get);
  asClientCommand(runs.command("logs <id>").description("print what the agent wrote"), { reads: false })
    .option("-f, --follow", "go on until the run ends")
    .action(logs);
  return runs;
}

async function create({ prompt, title, ...options }: CreateOptions): Promise<void> {
  const client = connect(options);
  const run = await dataOf(client.POST("/agent/runs", { body: { prompt, ...(title ? { title } : {}) } }));
  if (options.json) printJson(run);
  else print(run.run_id);
}

async function list({ limit, state, ...options }: ListOptions): Promise<void> {
  const client = connect(options);
  const query = { limit: Number(limit), ...(state ? { state } : {}) };
  const { runs } = await dataOf(client.GET("/agent/runs", { params: { query } }));
  if (options.json) printJson(runs);
  else if (runs.length === 0) print("There are no runs yet.");
  else {
    printTable(
      ["STATE", "ID", "SOURCE", "CREATED", "TITLE"],
      runs.map((run) => [run.state, run.run_id, run.source, ago(run.created_at), run.title]),
    );
  }
}

async function get(id: string, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const run = await dataOf(client.GET("/agent/runs/{runId}", { params: { path: { runId: id } } }));
  if (options.json) return printJson(run);
  printFields({
    run: run.run_id,
    title: run.title,
    state: run.state,
    why: run.status_message?.message,
    source: run.source,
    "created by": run.creator.display_name,
    created: ago(run.created_at),
    took: run.run_time,
    delivery: run.delivery_id,
    link: run.session_link,
    prompt: run.prompt,
  });
}

async function logs(
  id: string,
  { follow, ...options }: ConnectOptions & { follow?: boolean },
): Promise<void> {
  const client = connect(options);
  const params = { path: { runId: id }, query: { follow: follow ?? false } };
  const answer = client.GET("/agent/runs/{runId}/transcript", { params, parseAs: "stream" });
  const stream = await dataOf(
    answer as Promise<{ data?: ReadableStream<Uint8Array>; error?: unknown; response: Response }>,
  );
  if (!follow) {
    for await (const chunk of stream) process.stdout.write(chunk);
    return;
  }
  for await (const { event, data } of serverSentEvents(stream)) {
    if (event === "output")
      (data.stream === "stderr" ? process.stderr : process.stdout).write(String(data.text));
    if (event === "end" && data.state !== "SUCCEEDED") process.exitCode = 1;
  }
}

/** The events of a `text/event-stream`, each with its data as JSON. */
async function* serverSentEvents(stream: ReadableStream<Uint8Array>) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
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
