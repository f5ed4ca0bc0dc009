import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inject, test } from "vitest";
import { migratePostgres, POSTGRES_SCHEMA } from "../../src/store/postgres/migrate-postgres.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { connectPostgres } from "../../src/store/postgres/postgres-client.ts";
import type { Migration } from "../../src/store/sqlite/database.ts";
import { onFinished } from "./cleanup.ts";

/** Where the PostgreSQL of the tests is, in a project of vitest that has one. */
export const POSTGRES_URL: string | undefined = inject("postgres");

/**
 * A test of what is so with SQLite alone: how it plans a statement, what is in its file, or that the clock of the server's process
 * counts, where with PostgreSQL it is that of the database. It is left out where the same file runs with PostgreSQL.
 */
export const onSqlite = test.skipIf(POSTGRES_URL !== undefined);

/** All servers on one database need the same key. */
const MASTER_KEY = "a-master-key-for-tests-that-is-long-enough";
/** The databases of a test are copies of one that has the schema already. */
const TEMPLATE = "millrace_schema";
const TEMPLATE_LOCK = 0x74657374;

/** A database of its own for a test, with the schema unless something else is said. @returns its URL */
export async function aPostgresDatabase({ hasSchema = true } = {}): Promise<string> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const admin = await connectPostgres({ url: urlOf("postgres"), name: "tests" });
  await admin.query("SELECT pg_advisory_lock($1)", [TEMPLATE_LOCK]);
  const { rowCount } = await admin.query("SELECT 1 FROM pg_database WHERE datname = $1", [TEMPLATE]);
  if (rowCount === 0) {
    await admin.query(`CREATE DATABASE ${TEMPLATE}_new`);
    const client = await connectPostgres({ url: urlOf(`${TEMPLATE}_new`), name: "tests" });
    await migratePostgres(client, new Date());
    await client.end();
    await admin.query(`ALTER DATABASE ${TEMPLATE}_new RENAME TO ${TEMPLATE}`);
  }
  // Copying files takes less than half of the time of writing every page to the log.
  const template = hasSchema ? TEMPLATE : "template0";
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  await admin.end();
  onFinished(async () => {
    const last = await connectPostgres({ url: urlOf("postgres"), name: "tests" });
    await last.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await last.end();
  });
  return urlOf(name);
}

/** A connection for a test. */
export async function postgresClient(url: string) {
  const client = await connectPostgres({ url, name: "tests" });
  onFinished(() => client.end());
  return client;
}

/** Migrates a database as a version does that has further steps. */
export async function asNewerVersion(url: string, steps: readonly Migration[]): Promise<void> {
  await migratePostgres(await postgresClient(url), new Date(), {
    ...POSTGRES_SCHEMA,
    steps: [...POSTGRES_SCHEMA.steps, ...steps],
  });
}

function urlOf(database: string): string {
  const url = new URL(POSTGRES_URL ?? "");
  url.pathname = `/${database}`;
  return url.href;
}

const databases = new Map<string, Promise<string>>();

/** The database that stands for the one in a data folder: the same for each server and each test of this folder. @returns its URL */
export function postgresDatabaseOf(dataDir: string): Promise<string> {
  const database = databases.get(dataDir) ?? aPostgresDatabase();
  databases.set(dataDir, database);
  return database;
}

/** What gives a server or a command the database of a data folder, where the tests have PostgreSQL. */
export async function postgresEnvironment(dataDir: string): Promise<Record<string, string>> {
  if (POSTGRES_URL === undefined) return {};
  return { MILLRACE_DATABASE_URL: await postgresDatabaseOf(dataDir), MILLRACE_MASTER_KEY: MASTER_KEY };
}

/** A store as a server opens it, and what that hears of others. */
export async function openedPostgres(url: string) {
  const heard: boolean[] = [];
  const lost: string[] = [];
  const store = await openPostgres(url, {
    onLost: ({ message }) => void lost.push(message),
    onCommit: () => {},
    onFailure: () => {},
    onOthers: (isNews) => void heard.push(isNews),
  });
  // One whose link was cut has nobody to say goodbye to.
  onFinished(() => Promise.race([store.close(), sleep(2_000)]));
  return { store, heard, lost, leads: store.session.isLeader };
}

/** Ends connections of a store as an administrator would. */
export async function terminate(url: string, name: string): Promise<void> {
  const client = await connectPostgres({ url, name: "administrator" });
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
    [`millrace ${name}`],
  );
  await client.end();
}

/** Takes one database away from all that use it, as a failover of PostgreSQL does, and gives it back. */
export async function postgresOutage(url: string) {
  const name = new URL(url).pathname.slice(1);
  const administrator = await postgresClient(POSTGRES_URL ?? "");
  const allow = (isAllowed: boolean) =>
    administrator.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${isAllowed}`);
  onFinished(() => allow(true));
  return {
    async begin() {
      await allow(false);
      await administrator.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
        name,
      ]);
    },
    end: () => allow(true),
  };
}
