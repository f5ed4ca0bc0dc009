import { Command, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { pluralize } from "../../pluralize.ts";
import { present, runIdStarts } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { confirm } from "../input.ts";
import { print, printError, printJson } from "../output.ts";
import { findRunId } from "./find-run.ts";
import { type RunFilterOptions, readRunFilters, withRunFilters } from "./run-filters.ts";
import { awaitEnd } from "./run-text.ts";

type Run = Models["RunItem"];
export type State = Models["RunState"];

/** What chooses runs: their ids, or filters with a confirmation. */
interface SeveralOptions extends RunFilterOptions, Omit<ConnectOptions, "factory"> {
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
function forSeveralRuns(command: Command): Command {
  return withRunFilters(
    command.argument("[ids...]", "run IDs, or their first characters", runIdStarts),
  ).addOption(new Option("-y, --yes", "do not ask for confirmation when runs are selected by filters"));
}

/**
 * Acts on the runs that are named, or that fit the filters after these were counted and confirmed. What cannot be done with
 * one run does not keep it from the others; the command then ends with 1.
 */
async function actOnSeveral(
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

interface CancelOptions extends SeveralOptions {
  wait?: true;
  tree?: true;
}

export function runCancelCommand(): Command {
  const command = new Command("cancel").description(
    "cancel queued or running runs, by ID or by filters; filters show a summary first",
  );
  return forSeveralRuns(asClientCommand(command))
    .option("--tree", "also end all runs that descend from the run, and dismiss their questions")
    .option("--wait", "wait until the run has ended")
    .action(cancel);
}

async function cancel(starts: string[] = [], options: CancelOptions = {} as CancelOptions): Promise<void> {
  const client = connect(options);
  const [start, another] = starts;
  if (options.wait && start !== undefined && another === undefined)
    return cancelAndWait(client, start, options);
  await actOnSeveral(client, starts, options, {
    states: ["QUEUED", "PENDING", "CLAIMED", "INPROGRESS"],
    question: (runs) => `Cancel ${runs}?`,
    async act(id) {
      await client.runs.cancel(id, present({ tree: options.tree }));
      const run = options.wait ? await client.runs.wait(id) : await client.runs.get(id);
      const done =
        run.state === "CANCELLED"
          ? `Cancelled run ${id}.`
          : `Cancelling run ${id}. Its state becomes CANCELLED when its agent has exited.`;
      return { done, json: run };
    },
  });
}

async function cancelAndWait(client: Millrace, start: string, { json, tree }: CancelOptions): Promise<void> {
  const id = await findRunId(client, start);
  await client.runs.cancel(id, present({ tree }));
  await awaitEnd(client, id, { json, wanted: "CANCELLED" });
}

interface AgainOptions extends SeveralOptions {
  wait?: true;
  idempotencyKey?: string;
}

export function runAgainCommand(): Command {
  const command = new Command("again").description(
    "run ended runs again, each with its own automation and delivery, by ID or by filters",
  );
  return forSeveralRuns(asClientCommand(command))
    .option(
      "--idempotency-key <key>",
      "idempotency key: retries with the same key start one run for each repeated run",
    )
    .option("--wait", "wait until each new run has ended")
    .action(again);
}

async function again(starts: string[] = [], options: AgainOptions = {} as AgainOptions): Promise<void> {
  const client = connect(options);
  const { idempotencyKey: key } = options;
  await actOnSeveral(client, starts, options, {
    states: ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"],
    question: (runs) => `Run ${runs} again?`,
    async act(id) {
      // One key of the command is as many as there are runs: a key is for one request.
      const idempotencyKey = key === undefined ? undefined : `${key}-${id}`;
      const answer = await client.runs.again(id, present({ idempotencyKey }));
      if (options.wait) await awaitEnd(client, answer.run_id, {});
      return {
        done: `Started run ${answer.run_id}, which repeats run ${id}.`,
        json: options.wait ? await client.runs.get(answer.run_id) : answer,
      };
    },
  });
}
