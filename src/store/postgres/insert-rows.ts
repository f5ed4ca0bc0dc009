/** A statement that inserts a row, as one that inserts several. */
export interface InsertRows {
  /** The places among them of what decides whether a row is there already; nothing when each row is written or the statement fails. */
  conflict: readonly number[] | undefined;
  /** The statement for so many rows; it returns the columns of {@link conflict} of those that it has written. */
  text(rows: number): string;
}

const INSERT =
  /^\s*INSERT INTO (?<table>\w+) \((?<columns>[^()]*)\)\s*VALUES \((?<values>[^()]*)\)\s*(?:ON CONFLICT \((?<conflict>[^()]*)\) DO NOTHING)?\s*$/;
const PARAMETER = /\$(\d+)/g;

/** @returns nothing for a statement that is none, or that does something else with a row that is there already */
export function insertRows(sql: string): InsertRows | undefined {
  const { columns, values, conflict } = INSERT.exec(sql)?.groups ?? {};
  if (columns === undefined || values === undefined) return undefined;
  const width = Math.max(0, ...Array.from(values.matchAll(PARAMETER), ([, number]) => Number(number)));
  const places =
    conflict === undefined ? undefined : placesOf(listed(conflict), listed(columns), listed(values));
  if (places?.includes(Number.NaN)) return undefined;
  const head = sql.slice(0, sql.indexOf("VALUES"));
  const tail = conflict === undefined ? "" : ` ON CONFLICT (${conflict}) DO NOTHING RETURNING ${conflict}`;
  const row = (index: number) =>
    `(${values.replace(PARAMETER, (_, number) => `$${index * width + Number(number)}`)})`;
  const texts = new Map<number, string>();
  return {
    conflict: places,
    text(rows) {
      const text =
        texts.get(rows) ??
        `${head}VALUES ${Array.from({ length: rows }, (_, index) => row(index)).join(", ")}${tail}`;
      texts.set(rows, text);
      return text;
    },
  };
}

const listed = (text: string) => text.split(",").map((each) => each.trim());

/** @returns for each of some columns which parameter it is given, and NaN for one that is given something else */
function placesOf(some: readonly string[], columns: readonly string[], values: readonly string[]): number[] {
  return some.map((column) => {
    const value = values[columns.indexOf(column)] ?? "";
    return /^\$\d+$/.test(value) ? Number(value.slice(1)) - 1 : Number.NaN;
  });
}
