import { existsSync } from "node:fs";
import { errorMessage, MillraceError } from "../errors/error.ts";
import type { Connection } from "./connection.ts";
import { missingSteps } from "./schema/migrate.ts";
import { openSqlite, type SqliteConnection } from "./sqlite/sqlite.ts";
import { createPorts, type Store } from "./store.ts";

/**
 * Opens a database beside its server: without the server's lock, without making it, and without changing its schema.
 * @throws MillraceError `service_unavailable` when there is none, or when it is of another version
 */
export async function openConcurrently(path: string): Promise<ConcurrentStore> {
  if (!existsSync(path)) {
    throw new MillraceError("service_unavailable", `The database ${path} does not exist.`, {
      remedy: "Specify the data folder of the server with --data-dir or MILLRACE_DATA_DIR.",
    });
  }
  const connection = await openCurrent(path);
  return concurrentStoreOf(connection, {
    notUsable: (cause) => notUsable(path, cause),
    close: () => connection.close(),
  });
}

async function openCurrent(path: string): Promise<SqliteConnection> {
  let connection: SqliteConnection | undefined;
  try {
    connection = openSqlite(path);
    const missing = await missingSteps(connection);
    if (missing.length === 0) return connection;
  } catch (error) {
    connection?.close();
    throw error instanceof MillraceError ? error : notUsable(path, error);
  }
  connection.close();
  throw new MillraceError(
    "service_unavailable",
    `The database ${path} was created by an older version of millrace.`,
    {
      remedy:
        "Start the server with this version once to migrate the database, or use the CLI of the older version.",
    },
  );
}

function notUsable(path: string, cause: unknown): MillraceError {
  return new MillraceError(
    "service_unavailable",
    `The database ${path} cannot be used: ${errorMessage(cause)}.`,
    { remedy: "Check that it is a millrace database and that this user can write to it.", cause },
  );
}

/** What is in the main database. */
type MainPorts = Omit<Store, "transcripts">;

/** A database that belongs to a server, which may be running. */
export interface ConcurrentStore {
  /** Does some work in one transaction; a server that writes just now is waited for. */
  transact<Result>(work: (ports: MainPorts) => Promise<Result>): Promise<Result>;
  /** Does some work that only reads; it keeps no server waiting. */
  read<Result>(work: (ports: MainPorts) => Promise<Result>): Promise<Result>;
  close(): void;
}

/** @param notUsable the error for a database that cannot be used, of what it says itself */
export function concurrentStoreOf(
  connection: Connection,
  { notUsable, close }: { notUsable(cause: unknown): Error; close(): void },
): ConcurrentStore {
  const ports = createPorts(connection);
  const explained = (error: unknown) => (connection.isFailure(error) ? notUsable(error) : error);
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
    close,
  };
}
