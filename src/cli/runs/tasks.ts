import { Command, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { isUid } from "../../id.ts";
import { STAGES, type Stage } from "../../runs/rules/stage.ts";
import { TASK_SORTS, type TaskSort } from "../../runs/tasks/task.ts";
import { instantPast, itemLimit, MAX_PAGE, present, runIdStart, someOf, textList } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { age, ago, print, printFields, printJson, printTable } from "../output.ts";
import { findByStart, shortenIds } from "../short-ids.ts";
import { findRunId } from "./find-run.ts";

interface CreateOptions extends ConnectOptions {
  description?: string;
  stage?: Stage[];
}

/** `millrace tasks`: what the runs of a factory work on. */
export function tasksCommand(): Command {
  const tasks = new Command("tasks").description("list and move the tasks of a factory");
  const about = (name: string, description: string) =>
    asClientCommand(tasks.command(name).argument("<task>", TASK).description(description), {
      ofFactory: true,
    });
  tasks.addCommand(taskListCommand());
  about("get", "show a task, with its runs and links").alias("show").action(get);
  asClientCommand(
    tasks
      .command("create")
      .argument("<run>", "run ID, or its first characters", runIdStart)
      .argument("<title>", "title of the task")
      .description("create a task for a run; `runs create --factory` starts a run with a task"),
    { ofFactory: true },
  )
    .option("--description <text>", "description of the task")
    .option("--stage <stage>", `stage of the task (${STAGES.join(", ")})`, someOf(STAGES))
    .action(create);
  about("move", "move a task to another stage")
    .argument("<stage>", STAGES.join(", "), someOf(STAGES))
    .action(move);
  about("cancel", "cancel a task and all of its runs").action(cancel);
  about("runs", "list the runs of a task, oldest first").action(listRuns);
  return tasks;
}

/** The client, the factory and the UID of the task that a command is about. */
async function named(start: string, options: ConnectOptions): Promise<[Millrace, string, string]> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  return [client, factory, await findTaskUid(client, factory, start)];
}

async function get(start: string, options: ConnectOptions): Promise<void> {
  const [client, factory, uid] = await named(start, options);
  const task = await client.tasks.get(factory, uid);
  if (options.json) return printJson(task);
  const { author, ticket_source, ticket_id, ticket_url, current_run: run } = task;
  printFields({
    task: task.uid,
    title: task.title,
    stage: `${task.stage}, for ${age(task.stage_changed_at)}`,
    description: task.description,
    "created by": author?.display_name,
    created: ago(task.created_at),
    updated: ago(task.updated_at),
    ticket: ticket_id && [`${ticket_source}:${ticket_id}`, ticket_url].filter(Boolean).join(" "),
    run: run && `${run.state}, ${run.agent}, ${run.run_id}`,
    waiting: task.blocked_run && `run ${task.blocked_run.run_id} waits for an answer`,
    result: linesOf(task.outputs ?? []),
  });
}

function linesOf(outputs: readonly Models["Artifact"][]): string | null {
  const lines = outputs.map(({ artifact_type, data }) =>
    [artifact_type, data.title, data.url ?? data.filepath].filter(Boolean).join(" "),
  );
  return lines.join("\n") || null;
}

async function create(
  run: string,
  title: string,
  { description, stage, ...options }: CreateOptions,
): Promise<void> {
  const client = connect(options);
  const conversation_id = await findRunId(client, run);
  const factory = await chosenFactory(client, options);
  const body = { title, conversation_id, ...present({ description, stage: stage?.at(-1) }) };
  const task = await client.tasks.create(factory, body);
  if (options.json) printJson(task);
  else print(task.uid);
}

async function move(start: string, stages: Stage[], options: ConnectOptions): Promise<void> {
  const [client, factory, uid] = await named(start, options);
  const task = await client.tasks.update(factory, uid, present({ stage: stages.at(-1) }));
  if (options.json) printJson(task);
  else print(`Moved task ${uid} to ${task.stage}.`);
}

async function cancel(start: string, options: ConnectOptions): Promise<void> {
  const [client, factory, uid] = await named(start, options);
  const task = await client.tasks.cancel(factory, uid);
  if (options.json) printJson(task);
  else print(`Cancelled task ${uid} and its runs.`);
}

async function listRuns(start: string, options: ConnectOptions): Promise<void> {
  const [client, factory, uid] = await named(start, options);
  const runs = await client.tasks.runs(factory, uid, { limit: 500 }).toArray();
  if (options.json) return printJson(runs);
  if (runs.length === 0) return print("The task has no runs any more.");
  const rows = runs.map(({ state, run_id, executor, updated_at, title }) => [
    state,
    run_id,
    executor.display_name ?? "",
    ago(updated_at),
    title,
  ]);
  if (process.stdout.isTTY) shortenIds(rows, 1);
  printTable(["STATE", "ID", "AGENT", "UPDATED", "TITLE"], rows, { isCut: true });
}

interface ListOptions extends ConnectOptions {
  stage?: Stage[];
  createdBy?: string[];
  search?: string;
  createdAfter?: string;
  createdBefore?: string;
  updatedAfter?: string;
  sort?: TaskSort;
  order?: "asc" | "desc";
  limit: number;
}

function taskListCommand(): Command {
  const command = new Command("list").description("list tasks, most recently updated first");
  return asClientCommand(command, { ofFactory: true })
    .option("--stage <stage>", `only tasks in this stage (${STAGES.join(", ")}); repeatable`, someOf(STAGES))
    .option("--created-by <name>", "only tasks of this author, by name or UID; repeatable", textList)
    .option("-q, --search <text>", "only tasks whose title contains this text")
    .option(
      "--created-after <time>",
      "only tasks created since: a timestamp, or an age such as 2d",
      instantPast,
    )
    .option("--created-before <time>", "only tasks created before this time", instantPast)
    .option("--updated-after <time>", "only tasks updated since this time", instantPast)
    .addOption(new Option("--sort <key>", "sort key").choices(TASK_SORTS))
    .addOption(new Option("--order <order>", "sort order").choices(["asc", "desc"]))
    .option("--limit <n>", "maximum number of tasks", itemLimit, 20)
    .action(listTasks);
}

async function listTasks(options: ListOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options);
  const query = present({
    stage: options.stage,
    created_by: options.createdBy,
    q: options.search,
    created_after: options.createdAfter,
    created_before: options.createdBefore,
    updated_after: options.updatedAfter,
    sort_by: options.sort,
    sort_order: options.order,
  });
  const tasks: Models["Task"][] = [];
  const limit = Math.min(options.limit, MAX_PAGE);
  for await (const task of client.tasks.list(factory, { ...query, limit, include_current_run: true })) {
    tasks.push(task);
    if (tasks.length === options.limit) break;
  }
  if (options.json) return printJson(tasks);
  if (tasks.length === 0) {
    const none = "No tasks yet. Start one: millrace runs create PROMPT --factory NAME";
    return print(Object.keys(query).length > 0 ? "No tasks match the filters." : none);
  }
  printTable(
    ["STAGE", "UID", "RUN", "AGENT", "MOVED", "TITLE"],
    tasks.map(({ stage, uid, blocked_run, current_run, stage_changed_at, title }) => {
      const run = blocked_run ?? current_run;
      return [stage, uid, run?.state ?? "-", run?.agent ?? "-", ago(stage_changed_at), title];
    }),
    { isCut: true },
  );
}

/** A start that says too little is not looked for any further. */
const MAX_TASKS = 10_000;

/** How commands describe the argument of `findTaskUid`. */
const TASK = "task UID, or its first characters";

/** The UID of the task of a factory whose UID begins like this. @throws MillraceError when none does or several do */
async function findTaskUid(client: Millrace, factory: string, start: string): Promise<string> {
  if (isUid(start)) return start;
  return findByStart({
    what: ["task", "tasks"],
    start,
    shownBy: "millrace tasks list",
    limit: {
      most: MAX_TASKS,
      message: `None of the ${MAX_TASKS} most recently updated tasks has a UID that begins with ${start}.`,
      remedy: "Enter the full UID.",
    },
    async *candidates() {
      for await (const { uid, stage, title } of client.tasks.list(factory, { limit: 500 })) {
        yield { id: uid, about: `${stage}  ${title}` };
      }
    },
  });
}
