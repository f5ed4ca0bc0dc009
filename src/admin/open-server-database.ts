import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { postgresUrl } from "../config/database-url.ts";
import { databaseIn } from "../store/data-folder.ts";
import { type ConcurrentStore, openConcurrently } from "../store/open-concurrently.ts";
import { openConcurrentlyPostgres } from "../store/postgres/open-concurrently-postgres.ts";

/** Where the file of the database of SQLite is, or would be for a server that has one of PostgreSQL. */
export function fileDatabaseIn({ dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">): string {
  return databaseIn(resolve(dataDir), postgresUrl(databaseUrl) ? undefined : databaseUrl);
}

/**
 * Opens the database of a server, which may be running.
 * @throws MillraceError `service_unavailable` when there is none, or when it is of another version
 */
export async function openServerDatabase({
  dataDir,
  databaseUrl,
}: Pick<Config, "dataDir" | "databaseUrl">): Promise<ConcurrentStore> {
  const url = postgresUrl(databaseUrl);
  return url ? openConcurrentlyPostgres(url) : openConcurrently(databaseIn(resolve(dataDir), databaseUrl));
}
