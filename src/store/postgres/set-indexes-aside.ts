import type { Client } from "pg";

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
