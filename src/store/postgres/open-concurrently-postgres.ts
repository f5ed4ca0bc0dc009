import { MillraceError } from "../../errors/error.ts";
import type { Beside } from "../open-concurrently.ts";
import { createPorts } from "../store.ts";
import { missingPostgresSteps } from "./migrate-postgres.ts";
import { connectPostgres, notUsable } from "./postgres-client.ts";
import { postgresConnection } from "./postgres-connection.ts";

/**
 * Opens a database of PostgreSQL beside its servers, without changing its schema.
 * @throws MillraceError `service_unavailable` when it cannot be reached, or is of another version
 */
export async function openConcurrentlyPostgres(url: string): Promise<Beside> {
  const client = await connectPostgres({ url, name: "command" });
  const connection = postgresConnection(client);
  const explained = (error: unknown) => (connection.isFailure(error) ? notUsable(error) : error);
  const missing = await missingPostgresSteps(connection).catch((error) => error as Error);
  if (missing instanceof Error || missing.length > 0) {
    await client.end();
    throw missing instanceof MillraceError ? missing : ofOtherVersion();
  }
  const ports = createPorts(connection);
  return {
    async transact(work) {
      try {
        await connection.begin();
        const result = await work(ports);
        await connection.commit();
        return result;
      } catch (error) {
        await connection.rollback();
        throw explained(error);
      }
    },
    async read(work) {
      try {
        return await work(ports);
      } catch (error) {
        throw explained(error);
      }
    },
    close: () => void client.end(),
  };
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
