import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { MillraceError, systemCode } from "../../errors/error.ts";
import type { Migration } from "../sqlite/database.ts";
import { requireKnowingServers } from "./known-steps.ts";
import { postgresConnection, WRITER_LOCK } from "./postgres-connection.ts";
import { postgresStatements } from "./postgres-schema.ts";
import { missingPostgresSteps, POSTGRES_STEPS } from "./postgres-steps.ts";

/** Servers that start at the same time migrate one after the other. */
const MIGRATION_LOCK = 0x6d696772;

const TABLE_OF_STEPS = `
  CREATE TABLE IF NOT EXISTS migrations (
    name TEXT COLLATE "C" PRIMARY KEY, applied_at TEXT COLLATE "C" NOT NULL, servers_must_know TEXT COLLATE "C")`;
/** Versions before it made the table without the last column. */
const HAS_ALL_COLUMNS =
  "SELECT 1 FROM pg_attribute WHERE attrelid = 'migrations'::regclass AND attname = 'servers_must_know'";
const ADD_COLUMN = `ALTER TABLE migrations ADD COLUMN servers_must_know TEXT COLLATE "C"`;

/** How long a step waits for a table that others read. Everyone who comes after it waits as long. */
const TABLE_LOCK_MS = 500;
const BETWEEN_ATTEMPTS_MS = 1_500;
const ATTEMPTS = 30;
/** A table was not to be had in time, or two sessions waited for each other. */
const IN_USE = ["55P03", "40P01"];

/**
 * Brings a database up to this program's schema, one transaction a step, while servers of the version before use it.
 * @throws MillraceError `service_unavailable` when a newer version has made a schema that this one cannot go on with, or when a
 *   server that runs could not go on with the one of this version
 */
export async function migratePostgres(
  client: Client,
  now: Date,
  steps: readonly Migration[] = POSTGRES_STEPS,
): Promise<void> {
  const connection = postgresConnection(client);
  await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
  try {
    await client.query(TABLE_OF_STEPS);
    if ((await client.query(HAS_ALL_COLUMNS)).rowCount === 0) await client.query(ADD_COLUMN);
    for (const step of await missingPostgresSteps(connection, steps)) {
      await requireKnowingServers(client, step);
      await applyBetweenOthers(client, step, now);
    }
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]).catch(() => {});
  }
}

/** Makes the schema in a database without tables, in the transaction that is open. */
export async function makePostgresSchema(client: Client, now: Date): Promise<void> {
  await client.query(TABLE_OF_STEPS);
  for (const step of POSTGRES_STEPS) await applyStep(client, step, now);
}

/**
 * Applies a step when no server writes. While it waits for a table, those who only read wait behind it: where something reads for
 * long, such as `pg_dump`, it lets them go first, and tries again.
 */
async function applyBetweenOthers(client: Client, step: Migration, now: Date): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query("BEGIN");
    try {
      await client.query(`SELECT pg_advisory_xact_lock(${WRITER_LOCK})`);
      await client.query(`SET LOCAL lock_timeout = ${TABLE_LOCK_MS}`);
      await applyStep(client, step, now);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      if (!IN_USE.includes(systemCode(error) ?? "")) throw error;
      if (attempt === ATTEMPTS) throw tableInUse(step, error);
    }
    await sleep(BETWEEN_ATTEMPTS_MS);
  }
}

async function applyStep(client: Client, step: Migration, now: Date): Promise<void> {
  await client.query("INSERT INTO migrations (name, applied_at, servers_must_know) VALUES ($1, $2, $3)", [
    step.name,
    now.toISOString(),
    step.serversMustKnow ?? null,
  ]);
  for (const statement of postgresStatements(step)) await client.query(statement);
}

function tableInUse({ name }: Migration, cause: unknown): MillraceError {
  return new MillraceError(
    "service_unavailable",
    `The migration "${name}" cannot be applied: a session has used one of its tables for a minute.`,
    {
      remedy:
        "Look for a long transaction in pg_stat_activity, such as the one of pg_dump. Wait until it has ended, and start the server again.",
      cause,
    },
  );
}
