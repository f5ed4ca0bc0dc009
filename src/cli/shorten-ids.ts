/** The milliseconds of its making, with which an id begins. */
const LEAST = 13;

/**
 * Shortens the ids in a column of rows to as many characters as tell them apart, so that a line of the terminal has room for
 * the title. Commands take the first characters of an id. Pipes get whole ids.
 */
export function shortenIds(rows: string[][], column: number): void {
  const ids = rows.map((row) => row[column] ?? "");
  const longest = Math.max(0, ...ids.map((id) => id.length));
  let length = LEAST;
  const distinct = new Set(ids).size;
  while (length < longest && new Set(ids.map((id) => id.slice(0, length))).size < distinct) length += 1;
  for (const row of rows) row[column] = (row[column] ?? "").slice(0, length).replace(/-$/, "");
}
