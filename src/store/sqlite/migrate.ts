import { MillraceError } from "../../errors/error.ts";
import type { Database, Migration } from "./database.ts";
import { migrations } from "./migrations/migrations.ts";
import type { SqliteConnection } from "./sqlite.ts";

/**
 * Brings a database up to this program's schema, one transaction a step, each recorded before it is done.
 * @throws MillraceError `service_unavailable` for a schema that a newer millrace has made
 */
export async function migrate(
  connection: SqliteConnection,
  now: Date,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  connection.execute(
    "CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)",
  );
  for (const step of await missingSteps(connection, steps)) {
    connection.begin();
    try {
      await connection.run("INSERT INTO migrations (name, applied_at) VALUES ($1, $2)", [
        step.name,
        now.toISOString(),
      ]);
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
 * @throws MillraceError `service_unavailable` for a schema that a newer millrace has made
 */
export async function missingSteps(
  connection: Pick<Database, "all">,
  steps: readonly Migration[] = migrations,
): Promise<Migration[]> {
  const done = await connection.all<{ name: string }>("SELECT name FROM migrations ORDER BY name");
  const known = new Set(steps.map((step) => step.name));
  const unknown = done.find((row) => !known.has(row.name));
  if (unknown) {
    throw new MillraceError(
      "service_unavailable",
      `The database was created by a newer version of millrace: it has the migration "${unknown.name}", which this version does not know.`,
      { remedy: "Start the newer version again, or restore a backup made before the upgrade." },
    );
  }
  const applied = new Set(done.map((row) => row.name));
  return steps.filter(({ name }) => !applied.has(name));
}
