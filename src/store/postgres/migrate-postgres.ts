import type { Client } from "pg";
import { transcriptMigrations } from "../runs/transcript-file.ts";
import type { Database } from "../sqlite/database.ts";
import { type Migration, missingSteps } from "../sqlite/migrate.ts";
import { migrations } from "../sqlite/migrations/migrations.ts";
import { postgresConnection } from "./postgres-connection.ts";
import { postgresStatements } from "./postgres-schema.ts";

/** Servers that start at the same time migrate one after the other. */
const MIGRATION_LOCK = 0x6d696772;

/** On PostgreSQL what agents write is in the one database: only the file of SQLite has to be apart. */
const STEPS: readonly Migration[] = [
  ...migrations,
  ...transcriptMigrations.map(({ name, sql }) => ({ name: `transcripts-${name}`, sql })),
];

const TABLE_OF_STEPS =
  'CREATE TABLE IF NOT EXISTS migrations (name TEXT COLLATE "C" PRIMARY KEY, applied_at TEXT COLLATE "C" NOT NULL)';

/** The steps that a database lacks. */
export const missingPostgresSteps = (connection: Pick<Database, "all">) => missingSteps(connection, STEPS);

/**
 * Brings a database up to this program's schema, one transaction a step.
 * @throws MillraceError `service_unavailable` for a schema that a newer millrace has made
 */
export async function migratePostgres(client: Client, now: Date): Promise<void> {
  const connection = postgresConnection(client);
  await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
  try {
    await client.query(TABLE_OF_STEPS);
    for (const step of await missingPostgresSteps(connection)) {
      await client.query("BEGIN");
      try {
        await applyStep(client, step, now);
        await client.query("COMMIT");
      } catch (error) {
        await client.query("ROLLBACK").catch(() => {});
        throw error;
      }
    }
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]).catch(() => {});
  }
}

/** Makes the schema in a database without tables, in the transaction that is open. */
export async function makePostgresSchema(client: Client, now: Date): Promise<void> {
  await client.query(TABLE_OF_STEPS);
  for (const step of STEPS) await applyStep(client, step, now);
}

async function applyStep(client: Client, step: Migration, now: Date): Promise<void> {
  await client.query("INSERT INTO migrations (name, applied_at) VALUES ($1, $2)", [
    step.name,
    now.toISOString(),
  ]);
  for (const statement of postgresStatements(step)) await client.query(statement);
}
