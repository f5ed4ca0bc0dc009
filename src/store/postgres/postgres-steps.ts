import { MillraceError } from "../../errors/error.ts";
import { transcriptMigrations } from "../runs/transcript-file.ts";
import type { Database, Migration } from "../sqlite/database.ts";
import { migrations } from "../sqlite/migrations/migrations.ts";

/** On PostgreSQL what agents write is in the one database: only the file of SQLite has to be apart. */
export const POSTGRES_STEPS: readonly Migration[] = [
  ...migrations,
  ...transcriptMigrations.map((step) => ({ ...step, name: `transcripts-${step.name}` })),
];

interface AppliedStep {
  name: string;
  servers_must_know: string | null;
}

/** As JSON, because the table has no such column before this version has migrated it. */
const APPLIED_STEPS =
  "SELECT name, to_jsonb(migrations) ->> 'servers_must_know' AS servers_must_know FROM migrations ORDER BY name";

/**
 * The steps that a database lacks. A newer version may have applied others, which servers of this version can go on with.
 * @throws NewerSchema for a database that they cannot go on with
 */
export async function missingPostgresSteps(
  connection: Pick<Database, "all">,
  steps: readonly Migration[] = POSTGRES_STEPS,
): Promise<Migration[]> {
  const applied = await connection.all<AppliedStep>(APPLIED_STEPS);
  const known = new Set(steps.map(({ name }) => name));
  for (const { name, servers_must_know } of applied) {
    const required = servers_must_know ?? name;
    if (!known.has(name) && !known.has(required)) throw new NewerSchema(name, required);
  }
  const done = new Set(applied.map(({ name }) => name));
  return steps.filter(({ name }) => !done.has(name));
}

/** A newer version has changed the schema in a way that servers of this version cannot go on with. */
export class NewerSchema extends MillraceError {
  constructor(step: string, required: string) {
    super(
      "service_unavailable",
      step === required
        ? `The database was migrated by a newer version of millrace: it has the migration "${step}", which this version does not know.`
        : `The database was migrated by a newer version of millrace: its migration "${step}" requires servers that know "${required}", and this version does not.`,
      {
        remedy:
          "Start the newer version again. To go back to this version, stop all servers and restore a backup made before the upgrade.",
      },
    );
  }
}
