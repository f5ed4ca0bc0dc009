import { Command } from "commander";
import type { Moved, MoveProgress } from "../../admin/move-store.ts";
import { databaseUrl, postgresUrl } from "../../config/database-url.ts";
import { settings } from "../../config/settings.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { atMostEvery } from "../../log.ts";
import { pluralize } from "../../pluralize.ts";
import { print, printError, printJson } from "../output.ts";
import { type DataOptions, dataSettings } from "../settings.ts";

interface MoveFlags extends Pick<DataOptions, "config" | "dataDir"> {
  to: string;
  from?: string;
  json?: boolean;
}

const PROGRESS_EVERY_MS = 5_000;

export function moveCommand(): Command {
  const { dataDir, databaseUrl: database } = settings;
  return new Command("move")
    .description(
      "copy the store of a stopped server from SQLite to PostgreSQL or back, and compare every row; the source is not changed",
    )
    .requiredOption("--to <url>", "database to move to; must be empty, or must not exist")
    .option("--from <url>", `database to move (default: the database of the settings; ${database.env})`)
    .option("--data-dir <value>", `${dataDir.help} (default: ${dataDir.fallback}; ${dataDir.env})`)
    .option("--config <file>", "read settings from this millrace.yaml")
    .option("--json", "print JSON")
    .action(move);
}

async function move({ to, from, json, ...options }: MoveFlags): Promise<void> {
  const { moveStore } = await import("../../admin/move-store.ts");
  const target = databaseOf("--to", to);
  const source = from === undefined ? {} : { databaseUrl: databaseOf("--from", from) };
  const moved = await moveStore({
    settings: { ...(await dataSettings(options)), ...source },
    to: target,
    now: () => new Date(),
    onProgress: json ? () => {} : progressPrinter(),
  });
  if (json) return printJson(inJson(moved));
  for (const line of summary(moved)) print(line);
}

function databaseOf(option: string, url: string): string {
  try {
    return databaseUrl(url);
  } catch (error) {
    throw new MillraceError(
      "invalid_request",
      `${option} is not the URL of a database: ${errorMessage(error)}.`,
    );
  }
}

/** Each table when it is done, and a large one in the meantime. */
function progressPrinter(): (progress: MoveProgress) => void {
  const line = ({ step, table, rows }: MoveProgress) => `${step} ${table}: ${pluralize(rows, "row")}`;
  const printUnderWay = atMostEvery(PROGRESS_EVERY_MS, (text) => printError(`${text} so far`));
  return (progress) => {
    if (!progress.isWhole) printUnderWay(line(progress));
    else if (progress.rows > 0) printError(line(progress));
  };
}

const rowsOf = ({ tables }: Moved) => tables.reduce((sum, { rows }) => sum + rows, 0);

function inJson(moved: Moved) {
  const { from, to, artifacts, replaced, tables } = moved;
  return { from, to, rows: rowsOf(moved), artifacts, replaced_texts: replaced, tables };
}

function summary(moved: Moved): string[] {
  const { from, to, artifacts, replaced, tables, keyFile, folders } = moved;
  const isOnPostgres = postgresUrl(to) !== undefined;
  const what = `${pluralize(rowsOf(moved), "row")} of ${pluralize(tables.length, "table")}`;
  return [
    `Copied ${what} and ${pluralize(artifacts, "artifact")} from ${from} to ${to}, and compared all of them. The source was not changed.`,
    ...(replaced > 0
      ? [
          `${pluralize(replaced, "text")} contained characters that PostgreSQL does not store (U+0000). They were replaced with U+FFFD.`,
        ]
      : []),
    "",
    "Start the server with the same data folder and these settings:",
    "",
    `  MILLRACE_DATABASE_URL='${isOnPostgres ? to : `sqlite:${to}`}'`,
    isOnPostgres && keyFile !== undefined
      ? `  MILLRACE_MASTER_KEY_FILE='${keyFile}'`
      : "  MILLRACE_MASTER_KEY or MILLRACE_MASTER_KEY_FILE with the same key as before",
    ...folders.flatMap((folder) => [
      "",
      `A server on PostgreSQL does not start with the folder ${folder} as a source. Commit the definition to a repository and name its URL, or \`git:${folder}\`.`,
    ]),
  ];
}
