import { MillraceError } from "../../errors/error.ts";
import { type ConcurrentStore, concurrentStoreOf } from "../open-concurrently.ts";
import { missingPostgresSteps } from "./migrate-postgres.ts";
import { connectPostgres, notUsable } from "./postgres-client.ts";
import { postgresConnection } from "./postgres-connection.ts";

/**
 * Opens a database of PostgreSQL beside its servers, without changing its schema.
 * @throws MillraceError `service_unavailable` when it cannot be reached, or is of another version
 */
export async function openConcurrentlyPostgres(url: string): Promise<ConcurrentStore> {
  const client = await connectPostgres({ url, name: "command" });
  const connection = postgresConnection(client);
  const missing = await missingPostgresSteps(connection).catch((error) => error as Error);
  if (missing instanceof Error || missing.length > 0) {
    await client.end();
    throw missing instanceof MillraceError ? missing : ofOtherVersion();
  }
  return concurrentStoreOf(connection, { notUsable, close: () => void client.end() });
}

function ofOtherVersion(): MillraceError {
  return new MillraceError(
    "service_unavailable",
    "The database has no tables of millrace, or was created by an older version of it.",
    {
      remedy:
        "Start a server with this version once to migrate the database, or use the CLI of the older version.",
    },
  );
}
