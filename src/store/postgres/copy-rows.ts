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

/** For each index that is built: PostgreSQL sorts so much in memory. */
const BUILD_MEMORY = "256MB";

interface Definition {
  table: string;
  name: string;
  sql: string;
}

/**
 * Drops the foreign keys of tables, and the indexes that are not those of keys, in the transaction that is open: while many rows are
 * added, they cost more than to make them once all rows are there.
 * @returns what makes them again
 */
export async function setIndexesAside(
  client: Client,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const list = async (sql: string) => (await client.query<Definition>(sql, [tables])).rows;
  const foreignKeys = await list(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS sql
     FROM pg_constraint WHERE contype = 'f' AND conrelid IN (SELECT to_regclass(quote_ident(t)) FROM unnest($1::text[]) AS t)`,
  );
  const indexes = await list(
    `SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS sql
     FROM pg_index WHERE indrelid IN (SELECT to_regclass(quote_ident(t)) FROM unnest($1::text[]) AS t)
       AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)`,
  );
  for (const { table, name } of foreignKeys)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  return async () => {
    await client.query(`SET LOCAL maintenance_work_mem = '${BUILD_MEMORY}'`);
    for (const { sql } of indexes) await client.query(sql);
    for (const { table, name, sql } of foreignKeys)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${sql}`);
  };
}
