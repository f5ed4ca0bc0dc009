import type { Config } from "../../config/config.ts";
import { postgresUrl } from "../../config/database-url.ts";
import { MillraceError } from "../../errors/error.ts";

/**
 * A backup holds the files of a data folder, and of a database of SQLite among them.
 * @throws MillraceError `invalid_request` where the settings name a database of PostgreSQL
 */
export function refusePostgres({ databaseUrl }: Pick<Config, "databaseUrl">, command: string): void {
  if (postgresUrl(databaseUrl) === undefined) return;
  throw new MillraceError(
    "invalid_request",
    `\`millrace ${command}\` works on a database of SQLite, and the settings name one of PostgreSQL.`,
    { remedy: "Use the tools of PostgreSQL: pg_dump and pg_restore, or continuous archiving." },
  );
}
