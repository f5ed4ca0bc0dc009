import { errorMessage, MillraceError } from "../../errors/error.ts";
import { copyRows } from "../postgres/copy-rows.ts";
import { makePostgresSchema } from "../postgres/migrate-postgres.ts";
import { setIndexesAside } from "../postgres/set-indexes-aside.ts";
import { createPorts } from "../store.ts";
import {
  closeSession,
  hasSchema,
  openSession,
  type PostgresSession,
  readTable,
  requireCurrent,
  sequenceOf,
} from "./movable-postgres.ts";
import type { MoveTarget } from "./movable-store.ts";
import { digestRows } from "./row-digest.ts";
import { columnList, type StoredTable } from "./stored-tables.ts";

/**
 * Opens an empty database of PostgreSQL. Everything that is written to it, its schema too if it has none, is one transaction.
 * @throws MillraceError when it is not empty, or has a schema of another version
 */
export async function openEmptyPostgres(
  url: string,
  tables: readonly StoredTable[],
  now: Date,
): Promise<MoveTarget> {
  const session = await openSession(url);
  const { client, connection } = session;
  let makeIndexes: () => Promise<void>;
  try {
    if (await hasSchema(session)) {
      await requireCurrent(session);
      for (const table of tables) await requireInitial(session, table);
    } else await makePostgresSchema(client, now);
    makeIndexes = await setIndexesAside(
      client,
      tables.map(({ name }) => name),
    );
  } catch (error) {
    await closeSession(session);
    throw error;
  }
  return {
    ports: createPorts(connection),
    read: (table) => readTable(session, table),
    lastNumber: async () => 0,
    async clear({ name }) {
      await client.query(`DELETE FROM "${name}"`);
    },
    async write(table, rows) {
      await copyRows(client, `"${table.name}" (${columnList(table)})`, rows).catch((error) => {
        throw notWritten(table, error);
      });
    },
    async setLastNumber(table, last) {
      const sequence = await sequenceOf(session, table);
      if (sequence === undefined) return;
      await client.query("SELECT setval($1, $2, $3)", [sequence, Math.max(last, 1), last > 0]);
    },
    async keep() {
      await makeIndexes();
      // What the planner knows of the tables; otherwise it guesses until PostgreSQL looks at them.
      for (const { name } of tables) await client.query(`ANALYZE "${name}"`);
      await connection.commit();
    },
    close: () => closeSession(session),
  };
}

/** @throws MillraceError when a table has other rows than in a new schema */
async function requireInitial(session: PostgresSession, table: StoredTable): Promise<void> {
  const expected = digestRows(table);
  for (const row of table.initial) expected.add(row);
  const found = digestRows(table);
  for await (const rows of readTable(session, table)) {
    for (const row of rows) found.add(row);
    if (found.result().rows > table.initial.length) break;
  }
  if (found.result().digest === expected.result().digest) return;
  throw new MillraceError(
    "conflict",
    `The PostgreSQL database is not empty: its table ${table.name} contains data.`,
    { remedy: "Specify a database that no server has used yet. Create one with `CREATE DATABASE`." },
  );
}

/** Where it stands in the rows is not said: that would show their values. */
function notWritten({ name }: StoredTable, cause: unknown): MillraceError {
  return new MillraceError(
    "service_unavailable",
    `The table ${name} cannot be written: ${errorMessage(cause)}.`,
    { remedy: "Nothing was stored in the target, and the source was not changed.", cause },
  );
}
