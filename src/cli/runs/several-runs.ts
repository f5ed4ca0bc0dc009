import { type Command, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { pluralize } from "../../pluralize.ts";
import { runIdStarts } from "../arguments.ts";
import { confirm } from "../confirm.ts";
import type { ConnectOptions } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { print, printError, printJson } from "../output.ts";
import { findRunId } from "./find-run.ts";
import { type RunFilterOptions, readRunFilters, withRunFilters } from "./run-filter-options.ts";

type Run = Models["RunItem"];
export type State = Models["RunState"];

/** What chooses runs: their ids, or filters with a confirmation. */
export interface SeveralOptions extends RunFilterOptions, Omit<ConnectOptions, "factory"> {
  yes?: true;
}

/** So many runs are acted on by one command. */
const MAX_RUNS = 200;

/** Something that is done with runs, one after the other. */
export interface RunAction {
  /** Of which states runs are chosen when no state is asked for. */
  states: readonly State[];
  /** What is asked, of so many runs. */
  question: (runs: string) => string;
  /** Does it. @returns what was done, in a sentence, and what `--json` prints */
  act: (id: string) => Promise<{ done: string; json: object }>;
}

/** Gives a command the arguments and options that choose several runs. */
export function forSeveralRuns(command: Command): Command {
  return withRunFilters(
    command.argument("[ids...]", "run IDs, or their first characters", runIdStarts),
  ).addOption(new Option("-y, --yes", "do not ask for confirmation when runs are selected by filters"));
}

/**
 * Acts on the runs that are named, or that fit the filters after these were counted and confirmed. What cannot be done with
 * one run does not keep it from the others; the command then ends with 1.
 */
export async function actOnSeveral(
  client: Millrace,
  starts: readonly string[],
  options: SeveralOptions,
  action: RunAction,
): Promise<void> {
  const ids = await chosenIds(client, starts, options, action);
  const results: object[] = [];
  for (const id of ids ?? []) {
    try {
      const { done, json } = await action.act(id);
      results.push(json);
      if (!options.json) print(done);
    } catch (error) {
      if (ids?.length === 1 && starts.length === 1) throw error;
      process.exitCode = EXIT_CODES.no;
      results.push({ run_id: id, error: errorMessage(error) });
      printError(errorMessage(error));
    }
  }
  if (options.json && ids) printJson(starts.length === 1 ? results[0] : results);
}

async function chosenIds(
  client: Millrace,
  starts: readonly string[],
  options: SeveralOptions,
  action: RunAction,
): Promise<string[] | undefined> {
  const filters = await readRunFilters(client, options);
  const isFiltered = Object.keys(filters).length > 0;
  if (isFiltered === starts.length > 0) {
    throw new MillraceError("invalid_request", "Expected either run IDs or filters.", {
      remedy: "Specify IDs, or filters such as --automation NAME --state QUEUED, but not both.",
    });
  }
  if (!isFiltered) {
    const ids: string[] = [];
    for (const start of starts) ids.push(await findRunId(client, start));
    return [...new Set(ids)];
  }
  const state = filters.state ?? (filters.task_status ? undefined : [...action.states]);
  const { runs, hasMore } = await firstRuns(client, { ...filters, ...(state ? { state } : {}) });
  if (runs.length === 0) {
    if (options.json) printJson([]);
    else print("No runs match the filters.");
    return undefined;
  }
  for (const line of summaryOf(runs)) printError(line);
  if (hasMore)
    printError(`More runs match. This command acts on the ${MAX_RUNS} newest; run it again for the others.`);
  return (await confirm(action.question(pluralize(runs.length, "run")), options))
    ? runs.map(({ run_id }) => run_id)
    : undefined;
}

/** The newest runs by creation, which what is done with them does not move. */
async function firstRuns(client: Millrace, query: NonNullable<Parameters<Millrace["runs"]["list"]>[0]>) {
  const runs: Run[] = [];
  for await (const run of client.runs.list({ ...query, sort_by: "created_at", limit: MAX_RUNS + 1 })) {
    if (runs.length === MAX_RUNS) return { runs, hasMore: true };
    runs.push(run);
  }
  return { runs, hasMore: false };
}

/** How many runs there are of each state and configuration, which an automation gives its name. */
function summaryOf(runs: readonly Run[]): string[] {
  const counts = new Map<string, number>();
  for (const { state, agent_config, title } of runs) {
    const line = `${state}  ${agent_config.name ?? title}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([line, count]) => `${String(count).padStart(5)}  ${line}`);
}
