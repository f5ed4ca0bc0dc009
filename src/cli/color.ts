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
