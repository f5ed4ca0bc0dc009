import { Command, Option } from "commander";
import type { Millrace, Models } from "../../client/client.ts";
import { USAGE_GROUPS, type UsageGroup } from "../../insight/usage.ts";
import { describeDuration } from "../../time/duration.ts";
import { instantPast, itemLimit, present } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, connect } from "../connect.ts";
import { print, printError, printJson, printTable } from "../output.ts";

interface UsageOptions extends ConnectOptions {
  by: UsageGroup | "run";
  since?: string;
  until?: string;
  factory?: string;
  limit: number;
  csv?: true;
}

/** What a row of the table or of the file has beside its name. */
type Used = Pick<
  Models["UsageRow"],
  "input_tokens" | "output_tokens" | "cached_tokens" | "cost_usd" | "family_cost_usd" | "unpriced_tokens"
>;

const MAX_RUNS = 100;

export function usageCommand(): Command {
  return asClientCommand(
    new Command("usage").description("show the tokens, the cost and the working time of runs"),
  )
    .addOption(
      new Option("--by <group>", "what to sum by; run lists the runs with the highest cost")
        .choices([...USAGE_GROUPS, "run"])
        .default("automation"),
    )
    .option(
      "--since <when>",
      "the beginning of the period: a timestamp, or an age such as 24h (default: 30d)",
      instantPast,
    )
    .option("--until <when>", "the end of the period (default: now)", instantPast)
    .option("--factory <name>", "only usage of this factory, given by name or UID")
    .option("--limit <n>", `maximum number of runs with --by run, at most ${MAX_RUNS}`, itemLimit, 10)
    .addOption(new Option("--csv", "print CSV").conflicts("json"))
    .action(usage);
}

async function usage({ by, since, until, factory, limit, ...options }: UsageOptions): Promise<void> {
  const client = connect(options);
  const query = present({ since, until, factory });
  if (by === "run")
    return printRuns(await costliest(client, { ...query, limit: Math.min(limit, MAX_RUNS) }), options);
  const { usage: rows } = await client.usage({ ...query, group_by: by });
  if (options.json) return printJson(rows);
  if (options.csv) return print(csvText(CSV_COLUMNS, rows));
  if (rows.length === 0) return print("Nothing was used in this period.");
  printTable(
    [by.toUpperCase(), "RUNS", ...USED_HEADINGS, "WORKED", "CPU"],
    rows.map((row) => [
      row.key,
      String(row.runs),
      ...usedCells(row, row.runs > 0 && row.runs_without_usage === row.runs),
      secondsText(row.work_seconds),
      secondsText(row.cpu_seconds),
    ]),
  );
  const unmeasured = rows.filter((row) => row.runs_without_usage > 0);
  if (unmeasured.length > 0)
    printError("Some runs reported no tokens, so what they have used and cost is unknown.");
}

const costliest = async (client: Millrace, query: Parameters<Millrace["costliestRuns"]>[0]) =>
  (await client.costliestRuns(query)).runs;

function printRuns(
  runs: readonly Models["RunSpend"][],
  { json, csv }: Pick<UsageOptions, "json" | "csv">,
): void {
  if (json) printJson(runs);
  else if (csv) print(csvText(CSV_RUN_COLUMNS, runs));
  else if (runs.length === 0) print("The cost of no run is known in this period.");
  else
    printTable(
      ["RUN", "FACTORY", "AUTOMATION", "STATE", ...USED_HEADINGS, "TITLE"],
      runs.map((run) => [
        run.run_id,
        run.factory ?? "-",
        run.automation ?? "-",
        run.state ?? "deleted",
        ...usedCells(run),
        run.title ?? "",
      ]),
      { isCut: true },
    );
}

const USED_HEADINGS = ["INPUT", "CACHED", "OUTPUT", "OWN COST", "WITH CHILDREN", "UNPRICED"];

/** @param isUnknown whether nothing is known of the tokens */
function usedCells(used: Used, isUnknown = false): string[] {
  const { input_tokens, cached_tokens, output_tokens, cost_usd, family_cost_usd, unpriced_tokens } = used;
  const withChildren = family_cost_usd === null ? "-" : costText(family_cost_usd);
  if (isUnknown) return ["unknown", "-", "unknown", "unknown", withChildren, "-"];
  return [
    String(input_tokens),
    String(cached_tokens),
    String(output_tokens),
    costText(cost_usd),
    withChildren,
    unpriced_tokens > 0 ? `${unpriced_tokens} tokens` : "-",
  ];
}

/** Small sums to the hundredth of a cent, others in cents. */
function costText(usd: number | null): string {
  return usd === null ? "unknown" : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

const secondsText = (seconds: number | null) =>
  seconds === null ? "-" : describeDuration(Math.round(seconds * 1_000));

const CSV_USED = ["input_tokens", "output_tokens", "cached_tokens", "cost_usd", "unpriced_tokens"] as const;
const CSV_COLUMNS = [
  ...(["key", "runs", "runs_without_usage"] as const),
  ...CSV_USED,
  ...(["work_seconds", "cpu_seconds", "peak_memory_bytes", "family_cost_usd"] as const),
];
const CSV_RUN_COLUMNS = [
  ...(["run_id", "factory", "automation", "agent", "state", "created_at"] as const),
  ...CSV_USED,
  ...(["title", "family_cost_usd"] as const),
];

/** What a spreadsheet takes for a formula. Names and titles come from others. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A table with a heading as CSV (RFC 4180, with plain line ends), without its last line end. A value that is not known is empty. A
 * text that a spreadsheet would compute has an apostrophe before it.
 */
export function csvText<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, string | number | null>>[],
): string {
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(","));
  return [columns.join(","), ...lines].join("\n");
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
