import { finished } from "node:stream/promises";
import type { Client } from "pg";
import type { SqlValue } from "../sqlite/database.ts";

/** `pg-copy-streams` is loaded where rows are copied, and nowhere else. */
const load = () => import("pg-copy-streams").then(({ from }) => from);

/**
 * Adds rows to a table with `COPY`, which takes many rows much faster than `INSERT` does.
 * @param target the table and its columns, as SQL has them
 * @param client one that waits for answers
 */
export async function copyRows(
  client: Client,
  target: string,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const copyFrom = await load();
  const stream = client.query(copyFrom(`COPY ${target} FROM STDIN`));
  stream.end(Buffer.from(rows.map(lineOf).join("")));
  await finished(stream);
}

const SPECIAL = /[\\\n\r\t]/;
const EVERY_SPECIAL = /[\\\n\r\t]/g;
const ESCAPED: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A row in the text format (https://www.postgresql.org/docs/current/sql-copy.html). */
function lineOf(row: readonly SqlValue[]): string {
  let line = "";
  for (let index = 0; index < row.length; index += 1)
    line += (index === 0 ? "" : "\t") + fieldOf(row[index] ?? null);
  return `${line}\n`;
}

function fieldOf(value: SqlValue): string {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(value);
  if (typeof value === "string")
    return SPECIAL.test(value)
      ? value.replace(EVERY_SPECIAL, (character) => ESCAPED[character] ?? "")
      : value;
  return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex")}`;
}
