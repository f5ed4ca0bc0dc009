import { errorMessage, MillraceError } from "../../errors/error.ts";
import { copyRows, setIndexesAside } from "../postgres/copy-rows.ts";
import { makePostgresSchema, POSTGRES_SCHEMA } from "../postgres/migrate-postgres.ts";
import { connectPostgres } from "../postgres/postgres-client.ts";
import { type PostgresConnection, postgresConnection, WRITER_LOCK } from "../postgres/postgres-connection.ts";
import { keepServersAway } from "../postgres/server-session.ts";
import { missingSteps } from "../schema/migrate.ts";
import type { SqlValue } from "../sqlite/database.ts";
import { createPorts } from "../store.ts";
import { digestRows } from "./copy-tables.ts";
import { BATCH_BYTES, BATCH_ROWS, type MoveSource, type MoveTarget, sizeOf } from "./movable-store.ts";
import { columnList, type StoredRow, type StoredTable } from "./stored-tables.ts";

/** One side of a move may wait long for the other one, inside its transaction. */
const SETTINGS = { idle_in_transaction_session_timeout: "0" };

/** A transaction of a database that no server uses, and no command writes to, until the session ends. */
interface PostgresSession {
  client: Awaited<ReturnType<typeof connectPostgres>>;
  connection: PostgresConnection;
}

/**
 * Begins a transaction on a database of PostgreSQL, and keeps everyone else from it.
 * @throws MillraceError `service_unavailable` when it cannot be reached, or when a server uses it
 */
async function openSession(url: string): Promise<PostgresSession> {
  const client = await connectPostgres({ url, name: "move", settings: SETTINGS, waitsForAnswers: true });
  try {
    await keepServersAway(client);
    await client.query("BEGIN");
    await client.query(`SELECT pg_advisory_xact_lock(${WRITER_LOCK})`);
    return { client, connection: postgresConnection(client) };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/**
 * Opens a database of PostgreSQL to read all of it.
 * @throws MillraceError when it has no store, or one of another version
 */
export async function openPostgresSource(url: string): Promise<MoveSource> {
  const session = await openSession(url);
  try {
    if (!(await hasSchema(session))) throw withoutStore();
    await requireCurrent(session);
  } catch (error) {
    await closeSession(session);
    throw error;
  }
  return {
    ports: createPorts(session.connection),
    read: (table) => readTable(session, table),
    lastNumber: (table) => lastNumber(session, table),
    close: () => closeSession(session),
  };
}

/** Whatever was not committed is gone with the session. */
async function closeSession({ client }: PostgresSession): Promise<void> {
  await client.end().catch(() => {});
}

async function hasSchema({ connection }: PostgresSession): Promise<boolean> {
  const found = await connection.first<{ name: string | null }>("SELECT to_regclass('migrations') AS name");
  return found?.name != null;
}

/** @throws MillraceError when the schema is of another version */
async function requireCurrent({ connection }: PostgresSession): Promise<void> {
  if ((await missingSteps(connection, POSTGRES_SCHEMA)).length === 0) return;
  throw new MillraceError(
    "service_unavailable",
    "The PostgreSQL database was created by an older version of millrace.",
    {
      remedy:
        "Start a server with this version on it once to migrate it, stop the server, and try again. To move a store to it, use an empty database.",
    },
  );
}

/** Rows are asked for few at a time at first, then as many as are likely to fit. */
const FIRST_ROWS = 16;

/** The rows of a table, some at a time. */
async function* readTable(
  { client }: PostgresSession,
  table: StoredTable,
): AsyncGenerator<readonly StoredRow[]> {
  await client.query(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${columnList(table)} FROM "${table.name}"`);
  const fetch = (count: number) => {
    const fetched = client.query<SqlValue[]>({ text: `FETCH ${count} FROM moved`, rowMode: "array" });
    // It is waited for below, unless nobody wants more rows.
    fetched.catch(() => {});
    return fetched;
  };
  let count = FIRST_ROWS;
  let next = fetch(count);
  for (;;) {
    const { rows } = await next;
    const isLast = rows.length < count;
    count = fittingRows(rows, count);
    // PostgreSQL reads the next rows while somebody works on these.
    if (!isLast) next = fetch(count);
    if (rows.length > 0) yield rows;
    if (isLast) break;
  }
  await client.query("CLOSE moved");
}

/** How many rows are likely to fit into memory, of those that are like these. */
function fittingRows(rows: readonly StoredRow[], count: number): number {
  const average = rows.reduce((sum, row) => sum + sizeOf(row), 0) / Math.max(rows.length, 1);
  const fitting = Math.floor(BATCH_BYTES / Math.max(average, 1));
  return Math.min(Math.max(fitting, 1), BATCH_ROWS, count * FIRST_ROWS);
}

/** The sequence that gives numbers to a table, if there is one. */
async function sequenceOf(
  { connection }: PostgresSession,
  { name, numbered }: StoredTable,
): Promise<string | undefined> {
  if (!numbered) return undefined;
  const found = await connection.first<{ name: string | null }>(
    "SELECT pg_get_serial_sequence(CAST($1 AS TEXT), CAST($2 AS TEXT)) AS name",
    [name, numbered.column],
  );
  return found?.name ?? undefined;
}

async function lastNumber(session: PostgresSession, table: StoredTable): Promise<number> {
  const sequence = await sequenceOf(session, table);
  if (sequence === undefined) return 0;
  const found = await session.connection.first<{ last: number }>(
    `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${sequence}`,
  );
  return found?.last ?? 0;
}

function withoutStore(): MillraceError {
  return new MillraceError("service_unavailable", "The PostgreSQL database has no tables of millrace.", {
    remedy: "Specify the database of the server with --from or MILLRACE_DATABASE_URL.",
  });
}

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
