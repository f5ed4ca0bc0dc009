import { Command } from "commander";
import type { Models } from "../../client/client.ts";
import { describeDuration } from "../../time/duration.ts";
import { runIdStart } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { printJson, printTable } from "../output.ts";
import { findRunOrLatest, RUN_OR_LATEST } from "./find-run.ts";

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
export function costOf({ cost_usd }: { cost_usd?: number }): string {
  return cost_usd === undefined ? "" : `$${cost_usd.toFixed(4)}`;
}

/** How long a run has taken that has ended. */
export function tookOf({
  started_at,
  finished_at,
}: {
  started_at?: string | null;
  finished_at?: string | null;
}): string {
  if (!started_at || !finished_at) return "";
  return describeDuration(Math.max(0, Date.parse(finished_at) - Date.parse(started_at)));
}
