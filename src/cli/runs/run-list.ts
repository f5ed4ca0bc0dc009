import { Command, Option } from "commander";
import type { Models } from "../../client/client.ts";
import { RUN_SORTS, type RunSort } from "../../runs/run-query.ts";
import { describeDuration } from "../../time/duration.ts";
import { itemLimit, MAX_PAGE, present, runIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { ago, print, printJson, printJsonItems, printTable } from "../output.ts";
import { shortenIds } from "../short-ids.ts";
import { findRunOrLatest, RUN_OR_LATEST } from "./find-run.ts";
import { type RunFilterOptions, readRunFilters, withRunFilters } from "./run-filters.ts";

interface ListOptions extends RunFilterOptions, Omit<ConnectOptions, "factory"> {
  sort?: RunSort;
  order?: "asc" | "desc";
  limit: number;
  all?: true;
}

export function runListCommand(): Command {
  const command = new Command("list").description("list runs, most recently updated first");
  return withRunFilters(asClientCommand(command))
    .addOption(new Option("--sort <key>", "sort key; agent sorts by skill").choices(RUN_SORTS))
    .addOption(new Option("--order <order>", "sort order").choices(["asc", "desc"]))
    .option("--limit <n>", "maximum number of runs", itemLimit, 20)
    .addOption(
      new Option(
        "--all",
        "list all runs; with --sort created_at, no run is missed if runs change while the list is read",
      ).conflicts("limit"),
    )
    .action(list);
}

async function list(options: ListOptions): Promise<void> {
  const client = connect(options);
  const wanted = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const query = {
    ...(await readRunFilters(client, options)),
    ...present({ sort_by: options.sort, sort_order: options.order }),
    limit: Math.min(wanted, MAX_PAGE),
  };
  const runs = firstOf(client.runs.list(query), wanted);
  if (options.json) return printJsonItems(runs);
  const byCreation = options.sort === "created_at";
  const rows: string[][] = [];
  for await (const run of runs) {
    const when = ago(byCreation ? run.created_at : run.updated_at);
    rows.push([run.state, run.run_id, run.source, when, nameOf(run), tookOf(run), costOf(run), run.title]);
  }
  if (rows.length === 0) print(Object.keys(query).length > 1 ? "No runs match the filters." : "No runs yet.");
  else {
    if (process.stdout.isTTY) shortenIds(rows, 1);
    const when = byCreation ? "CREATED" : "UPDATED";
    printTable(["STATE", "ID", "SOURCE", when, "NAME", "TOOK", "COST", "TITLE"], rows, { isCut: true });
  }
}

/** The automation that a run is of, or else its agent. */
function nameOf({ automation_id, agent_config, executor }: Models["RunItem"]): string {
  const agent = executor.display_name ?? "";
  return automation_id === undefined ? agent : (agent_config.name ?? agent);
}

/** A page may hold fewer than it was asked for, so the items are counted. */
async function* firstOf(runs: AsyncIterable<Models["RunItem"]>, wanted: number) {
  let left = wanted;
  for await (const run of runs) {
    yield run;
    left -= 1;
    if (left === 0) return;
  }
}

type Member = Models["RunTreeItem"];

/** `runs tree`: the family of a run, as one picture. */
export function runTreeCommand(): Command {
  return asClientCommand(
    new Command("tree").description("show the runs that descend from a run's root, as a tree"),
  )
    .argument("[id]", RUN_OR_LATEST, runIdStart)
    .action(tree);
}

async function tree(given: string | undefined, options: ConnectOptions): Promise<void> {
  const client = connect(options);
  const family = await client.runs.tree(await findRunOrLatest(client, given));
  if (options.json) return printJson(family);
  printTable(
    ["RUN", "AGENT", "STATE", "TOOK", "COST", "TITLE"],
    treeOrder(family.runs).map(({ run, depth }) => [
      `${"  ".repeat(depth)}${run.run_id}`,
      run.agent,
      run.state,
      tookOf(run),
      costOf(run),
      run.title,
    ]),
    { isCut: true },
  );
}

/** Each run before those that it started. One whose parent is not shown stands at the left. */
function treeOrder(runs: readonly Member[]): { run: Member; depth: number }[] {
  const shown = new Set(runs.map(({ run_id }) => run_id));
  const below = (parent: string | null, depth: number): { run: Member; depth: number }[] =>
    runs
      .filter(({ parent_run_id: of }) => (of !== null && shown.has(of) ? of : null) === parent)
      .flatMap((run) => [{ run, depth }, ...below(run.run_id, depth + 1)]);
  return below(null, 0);
}

/** What a run has cost, as far as that is known. */
function costOf({ cost_usd }: { cost_usd?: number }): string {
  return cost_usd === undefined ? "" : `$${cost_usd.toFixed(4)}`;
}

/** How long a run has taken that has ended. */
function tookOf({
  started_at,
  finished_at,
}: {
  started_at?: string | null;
  finished_at?: string | null;
}): string {
  if (!started_at || !finished_at) return "";
  return describeDuration(Math.max(0, Date.parse(finished_at) - Date.parse(started_at)));
}
