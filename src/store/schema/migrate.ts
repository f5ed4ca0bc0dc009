import { MillraceError } from "../../errors/error.ts";
import type { Database, Migration } from "../sqlite/database.ts";
import type { SqliteConnection } from "../sqlite/sqlite.ts";
import { SCHEMA, type Schema } from "./schema.ts";

/** What a database lacks, and what is recorded when it has that. */
export interface MissingStep extends Migration {
  records: Schema["recorded"];
}

/**
 * Gives a new database its schema, and brings one of an earlier version up to date, one transaction a step, each recorded before it
 * is done.
 * @throws MillraceError `service_unavailable` for a schema that a newer millrace has made, or one from before version 0.1.0
 */
export async function migrate(connection: SqliteConnection, now: Date, schema = SCHEMA): Promise<void> {
  connection.execute(
    "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)",
  );
  for (const step of await missingSteps(connection, schema)) {
    connection.begin();
    try {
      for (const { name } of step.records) {
        await connection.run("INSERT INTO migrations (name, applied_at) VALUES ($1, $2)", [
          name,
          now.toISOString(),
        ]);
      }
      connection.execute(step.sql);
      connection.commit();
    } catch (error) {
      connection.rollback();
      throw error;
    }
  }
}

/**
 * The steps that a database lacks.
 * @throws MillraceError `service_unavailable` for a schema that a newer millrace has made, or one from before version 0.1.0
 */
export async function missingSteps(
  connection: Pick<Database, "all">,
  schema = SCHEMA,
): Promise<MissingStep[]> {
  const rows = await connection.all<{ name: string }>("SELECT name FROM migrations ORDER BY name");
  const done = rows.map(({ name }) => name);
  const known = new Set([...schema.recorded, ...schema.steps].map(({ name }) => name));
  const unknown = done.find((name) => !known.has(name));
  if (unknown) {
    throw new MillraceError(
      "service_unavailable",
      `The database was created by a newer version of millrace: it has the migration "${unknown}", which this version does not know.`,
      { remedy: "Start the newer version again, or restore a backup made before the upgrade." },
    );
  }
  return stepsTo(schema, done);
}

/**
 * What brings a database to a schema.
 * @param done the names of the steps that it has
 * @throws MillraceError `service_unavailable` for one from before version 0.1.0
 */
export function stepsTo({ sql, recorded, steps }: Schema, done: readonly string[]): MissingStep[] {
  const whole = { name: "schema", sql, records: recorded };
  const first = done.length === 0 && recorded.length > 0 ? [whole] : [];
  const applied = new Set([...done, ...first.flatMap(({ records }) => records.map(({ name }) => name))]);
  const missing = steps.filter(({ name }) => !applied.has(name));
  const lost = recorded.find(({ name }) => !applied.has(name) && !missing.some((step) => step.name === name));
  if (lost) {
    throw new MillraceError(
      "service_unavailable",
      `The database was created by an older version of millrace, from before version 0.1.0: it does not have the migration "${lost.name}".`,
      { remedy: "Start version 0.1.0 with this database once, and then this version." },
    );
  }
  return [...first, ...missing.map((step) => ({ ...step, records: [step] }))];
}
