import { Command, Option } from "commander";
import type { Models } from "../../client/client.ts";
import { STAGES, type Stage } from "../../tasks/rules/stage.ts";
import { TASK_SORTS, type TaskSort } from "../../tasks/task-query.ts";
import { instantPast, itemLimit, MAX_PAGE, someOf, textList } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { ago, print, printJson, printTable } from "../output.ts";
import { present } from "../present.ts";

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

export function taskListCommand(): Command {
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
    .action(list);
}

async function list(options: ListOptions): Promise<void> {
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
