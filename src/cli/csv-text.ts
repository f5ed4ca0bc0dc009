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
