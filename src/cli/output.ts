/** Writes for people and for programs. Results go to standard output, everything about them to standard error. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Rows under headings, each column as wide as its widest cell; a last column is never cut or filled up. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ");
  for (const row of [headings, ...rows]) print(line(row).trimEnd());
}

/** Names with values below each other; what has no value is left out. */
export function printFields(fields: Readonly<Record<string, string | null | undefined>>): void {
  const shown = Object.entries(fields).filter((field): field is [string, string] => field[1] != null);
  const width = Math.max(...shown.map(([name]) => name.length));
  for (const [name, value] of shown) {
    const [first = "", ...rest] = value.split("\n");
    print(
      [`${`${name}:`.padEnd(width + 1)} ${first}`, ...rest.map((line) => " ".repeat(width + 2) + line)].join(
        "\n",
      ),
    );
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
  if (!instant) return "-";
  const seconds = Math.max(0, Math.round((now - Date.parse(instant)) / 1_000));
  const [, unit = 1, name = "s"] = STEPS.find(([limit]) => seconds < limit) ?? [];
  return `${Math.floor(seconds / unit)}${name} ago`;
}
