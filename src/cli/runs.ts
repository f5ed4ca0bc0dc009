import { Command } from "commander";
import type { Millrace, Models } from "../client/client.ts";
import { pageLimit, runId, runStates } from "./arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "./connect.ts";
import { ago, duration, print, printError, printFields, printJson, printTable } from "./output.ts";
import { logs } from "./run-logs.ts";

interface CreateOptions extends ConnectOptions {
  prompt: string;
  title?: string;
}

interface ListOptions extends ConnectOptions {
  limit: number;
  state?: Models["RunState"][];
}

export function runsCommand(): Command {
  const runs = new Command("runs").description("executions of agents");
  asClientCommand(runs.command("create").description("start a run"))
    .requiredOption("--prompt <text>", "what the agent is asked to do (required)")
    .option("--title <text>", "a title for people")
    .action(create);
  asClientCommand(runs.command("list").description("list runs, the last updated first"))
    .option("--limit <n>", "how many, at most 500", pageLimit, 20)
    .option("--state <states...>", "only runs in these states", runStates)
    .action(list);
  asClientCommand(
    runs.command("get").argument("<id>", "the id of the run", runId).description("show a run"),
  ).action(get);
  asClientCommand(
    runs
      .command("logs")
      .argument("[id]", "the id of the run; without it, the first one of `runs list`", runId)
      .description("print what the agent wrote"),
  )
    .option("-f, --follow", "go on until the run ends")
    .action(logs);
  return runs;
}

async function create({ prompt, title, ...options }: CreateOptions): Promise<void> {
  const client = connect(options);
  const run = await client.runs.create({ prompt, ...(title ? { title } : {}) });
  if (options.json) printJson(run);
  else print(run.run_id);
  await sayWhenOfNoFactory(client, run.run_id);
}

async function sayWhenOfNoFactory(client: Millrace, runId: string): Promise<void> {
  const run = await client.runs.get(runId);
  if (run.factory_uid !== undefined) return;
  printError(
    "The run belongs to no factory, as the key reaches none or several: it goes to the server's default harness, without the prompt and the secrets of an agent. " +
      "With a key of one factory (`millrace keys create --factory NAME`) it goes to that factory's foreman.",
  );
}

async function list({ limit, state, ...options }: ListOptions): Promise<void> {
  const client = connect(options);
  const { items: runs } = await client.runs.list({ limit, ...(state ? { state } : {}) });
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
  const run = await client.runs.get(id);
  if (options.json) return printJson(run);
  printFields({
    run: run.run_id,
    title: run.title,
    state: run.state,
    why: run.status_message?.message,
    source: run.source,
    "created by": run.creator.display_name,
    created: ago(run.created_at),
    took: run.started_at && run.finished_at && duration(run.started_at, run.finished_at),
    delivery: run.delivery_id,
    link: run.session_link,
    prompt: run.prompt,
  });
}
