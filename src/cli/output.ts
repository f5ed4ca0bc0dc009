import { systemCode } from "../errors/error.ts";
import { withoutControl, withoutControlInJson } from "./terminal-text.ts";

/** Writes for people and for programs. Titles, names of files and reasons come from others. Results go to standard output, everything about them to standard error. */
export function print(text: string, end = "\n"): void {
  process.stdout.write(withoutControl(text) + end);
}

/**
 * A reader such as `head` may leave before everything is written. That ends a command, and is no failure of it; what
 * goes on without a reader says so with `goOnWithoutReader`.
 */
export function endWithReader(): void {
  process.stdout.on("error", (error) => {
    if (systemCode(error) !== "EPIPE") throw error;
    if (!needsNoReader) process.exit();
  });
}

let needsNoReader = false;

export function goOnWithoutReader(): void {
  needsNoReader = true;
}

export function printJson(value: unknown): void {
  print(jsonText(value, 2));
}

/** One of many, each on a line of its own. */
export function printJsonLine(value: unknown): void {
  print(jsonText(value));
}

function jsonText(value: unknown, indent?: number): string {
  return withoutControlInJson(JSON.stringify(value, null, indent));
}

export function printError(text: string): void {
  process.stderr.write(`${withoutControl(text)}\n`);
}

/** A list as JSON, item by item, so that it may be longer than a text can be. */
export async function printJsonItems(items: AsyncIterable<unknown>): Promise<void> {
  let before = "[";
  for await (const item of items) {
    print(`${before}\n${jsonText(item, 2).replace(/^/gm, "  ")}`, "");
    before = ",";
  }
  print(before === "[" ? "[]" : "\n]");
}

/** Rows under headings, each column as wide as its widest cell. A last column that `isCut` ends with the terminal's line. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { isCut = false } = {},
): void {
  const width = isCut && process.stdout.isTTY ? process.stdout.columns : undefined;
  // Not with `print`, which would show the colors as text; the cells are without control characters already.
  for (const line of tableLines(headings, rows, width, hasColor())) process.stdout.write(`${line}\n`);
}

/** As much of a last column stays on a line that is too narrow for the table. */
const NARROWEST_COLUMN = 8;

/** @param width where a last column is cut; without it, and always before it, nothing is cut or filled up */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width?: number,
  isColored = false,
): string[] {
  const shown = [headings, ...rows].map((row) =>
    row.map((cell) => withoutControl(cell).replace(/[\t\n]/g, " ")),
  );
  const last = headings.length - 1;
  const widths = headings.map((_, column) => Math.max(...shown.map((row) => (row[column] ?? "").length)));
  const before = widths.slice(0, last).reduce((sum, each) => sum + each + 2, 0);
  const room = width === undefined ? undefined : Math.max(width - before, NARROWEST_COLUMN);
  return shown.map((row, place) => {
    const cells = row.map((cell, column) =>
      column === last ? cut(cell, room) : cell.padEnd(widths[column] ?? 0),
    );
    if (!isColored) return cells.join("  ").trimEnd();
    if (place === 0) return colored(cells.join("  ").trimEnd(), "bold");
    return cells
      .map((cell, column) => coloredStatus(headings[column] ?? "", cell))
      .join("  ")
      .trimEnd();
  });
}

/** By characters and not by halves of them. */
function cut(text: string, room: number | undefined): string {
  const characters = [...text];
  if (room === undefined || characters.length <= room) return text;
  return `${characters.slice(0, room - 1).join("")}…`;
}

/** Names with values below each other; what has no value is left out. */
export function printFields(fields: Readonly<Record<string, string | null | undefined>>): void {
  const shown = Object.entries(fields).filter((field): field is [string, string] => field[1] != null);
  const width = Math.max(...shown.map(([name]) => name.length));
  const isColored = hasColor();
  for (const [name, value] of shown) {
    const [first = "", ...rest] = withoutControl(value).split("\n");
    const label = `${name}:`.padEnd(width + 1);
    const lines = [
      isColored ? `${colored(label, "dim")} ${coloredStatus(name, first)}` : `${label} ${first}`,
      ...rest.map((line) => " ".repeat(width + 2) + line),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}

const STEPS: readonly (readonly [limitSeconds: number, unitSeconds: number, unit: string])[] = [
  [60, 1, "s"],
  [3_600, 60, "m"],
  [86_400, 3_600, "h"],
  [Number.POSITIVE_INFINITY, 86_400, "d"],
];

/** How long ago an instant was: `42s ago`, `5m ago`, `3h ago`, `2d ago`. */
export function ago(instant: string | null | undefined, now = Date.now()): string {
  return instant ? `${age(instant, now)} ago` : "-";
}

/** How long something has been so since an instant: `42s`, `5m`, `3h`, `2d`. */
export function age(instant: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(instant)) / 1_000));
  const [, unit = 1, name = "s"] = STEPS.find(([limit]) => seconds < limit) ?? [];
  return `${Math.floor(seconds / unit)}${name}`;
}

/** Escape sequences (ECMA-48, SGR) of the standard colors, which every theme of a terminal has a readable shade of. */
const SEQUENCES = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const;
type Color = keyof typeof SEQUENCES;

/** Words that say how something stands, as they begin. */
const COLOR_OF: readonly (readonly [start: string, color: Color])[] = [
  ["SUCCEEDED", "green"],
  ["Accepted", "green"],
  ["synced", "green"],
  ["active", "green"],
  ["FAILED", "red"],
  ["ERROR", "red"],
  ["Rejected", "red"],
  ["failed", "red"],
  ["BLOCKED", "yellow"],
  ["suspended", "yellow"],
  ["awaiting", "yellow"],
  ["INPROGRESS", "cyan"],
  ["CLAIMED", "cyan"],
  ["QUEUED", "dim"],
  ["CANCELLED", "dim"],
  ["Duplicate", "dim"],
  ["disabled", "dim"],
  ["deleted", "dim"],
];

const STATUS_NAMES: ReadonlySet<string> = new Set(["STATE", "OUTCOME", "STATUS"]);

let isRefused = false;

/** `--no-color`: nothing is colored in this process. */
export function refuseColor(refused: boolean): void {
  isRefused = refused;
}

/** Colors are for a person at a terminal: never in files and pipes, and not with NO_COLOR (https://no-color.org). */
export function hasColor(stream: { isTTY?: boolean } = process.stdout): boolean {
  const { NO_COLOR, TERM } = process.env;
  return stream.isTTY === true && !isRefused && !NO_COLOR && TERM !== "dumb";
}

/** A text in a color. Whatever others have written in it has to be free of control characters already. */
export function colored(text: string, color: Color): string {
  return text === "" ? text : `\x1b[${SEQUENCES[color]}m${text}\x1b[0m`;
}

/** The value of a field or a column, colored if it says how something stands. */
export function coloredStatus(name: string, value: string): string {
  if (!STATUS_NAMES.has(name.toUpperCase())) return value;
  const color = COLOR_OF.find(([start]) => value.startsWith(start))?.[1];
  return color ? colored(value, color) : value;
}
