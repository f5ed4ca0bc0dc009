import type { Database as Handle, Statement } from "better-sqlite3";
import { MillraceError, systemCode } from "../../errors/error.ts";
import { sqliteAddon } from "../../platform/threads.ts";
import { type Connection, preparing } from "../connection.ts";
import { BetterSqlite } from "./better-sqlite.ts";
import type { SqlValue } from "./database.ts";

/** One SQLite connection. */
export interface SqliteConnection extends Connection {
  begin(): void;
  commit(): void;
  rollback(): void;
  execute(sql: string): void;
  /** The rows of a statement one after the other, as lists of values. Until the last one, the connection does nothing else. */
  iterate(sql: string): IterableIterator<SqlValue[]>;
  close(): void;
}

/** How long a statement waits for a lock that a command such as `keys create --local` holds for a moment. */
const BUSY_TIMEOUT_MS = 5_000;

/** Holds that index for some two million identities. */
const WRITER_CACHE_KB = 64 * 1024;
/** Pages that several commits have changed are copied into the database once: 16 MB of log between two copies. */
const PAGES_BETWEEN_CHECKPOINTS = 4_000;

export interface OpenOptions {
  readonly?: boolean;
  /** With NORMAL a commit does not wait for the disk: a failure of power may take the last ones. */
  sync?: "FULL" | "NORMAL";
}

/**
 * Opens the database file in write-ahead mode with synchronous FULL: a commit returns when the log is on the disk,
 * which is what a 202 promises (better-sqlite3 is compiled with NORMAL in that mode, so it has to be said).
 */
export function openSqlite(
  path: string,
  { readonly = false, sync = "FULL" }: OpenOptions = {},
): SqliteConnection {
  const handle = openHandle(path, readonly);
  handle.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  handle.pragma("foreign_keys = ON");
  if (!readonly) {
    handle.pragma("journal_mode = WAL");
    handle.pragma(`synchronous = ${sync}`);
    // The keys of identities are random: each insert touches another page of an index that grows with the log.
    handle.pragma(`cache_size = -${WRITER_CACHE_KB}`);
    handle.pragma(`wal_autocheckpoint = ${PAGES_BETWEEN_CHECKPOINTS}`);
  }
  const statement = statementCache(handle);
  let undone = 0;
  return {
    all: async <Row>(sql: string, values: readonly SqlValue[] = []) => statement(sql).all(values) as Row[],
    first: async <Row>(sql: string, values: readonly SqlValue[] = []) =>
      statement(sql).get(values) as Row | undefined,
    run: async (sql, values = []) => statement(sql).run(values),
    isPipelined: false,
    begin: () => void statement("BEGIN IMMEDIATE").run([]),
    beginReading: () => handle.exec("BEGIN"),
    commit: () => void statement("COMMIT").run([]),
    rollback: () => {
      undone += 1;
      if (handle.inTransaction) handle.exec("ROLLBACK");
    },
    async savepoint(work) {
      handle.exec("SAVEPOINT call");
      try {
        const result = await work();
        handle.exec("RELEASE call");
        return result;
      } catch (error) {
        undone += 1;
        if (handle.inTransaction) handle.exec("ROLLBACK TO call; RELEASE call");
        throw error;
      }
    },
    get undone() {
      return undone;
    },
    get inTransaction() {
      return handle.inTransaction;
    },
    isFailure: isStoreFailure,
    execute: (sql) => handle.exec(sql),
    iterate: (sql) => handle.prepare(sql).raw().iterate() as IterableIterator<SqlValue[]>,
    close: () => handle.close(),
  };
}

function openHandle(path: string, readonly: boolean): Handle {
  const addon = sqliteAddon();
  try {
    return new BetterSqlite(
      path,
      addon ? { readonly, nativeBinding: addon as unknown as string } : { readonly },
    );
  } catch (error) {
    throw new MillraceError(
      "service_unavailable",
      `Cannot open the database ${path}: ${(error as Error).message}.`,
      {
        remedy: "Check that its folder exists and that this user can write to it.",
        cause: error,
      },
    );
  }
}

interface Bound {
  all(values: readonly SqlValue[]): unknown[];
  get(values: readonly SqlValue[]): unknown;
  run(values: readonly SqlValue[]): number;
}

/** Statements with lists of values are as many as there are lengths of lists; those used last stay compiled. */
const MAX_STATEMENTS = 500;

/** Statements are compiled once. `$n` becomes `?`, which binds faster; a parameter used twice is bound twice. */
function statementCache(handle: Handle): (sql: string) => Bound {
  const cache = new Map<string, Bound>();
  return (sql) => {
    let bound = cache.get(sql);
    if (!bound) {
      const order: number[] = [];
      const positional = sql.replace(/\$(\d+)/g, (_, number) => {
        order.push(Number(number) - 1);
        return "?";
      });
      bound = bind(handle.prepare(positional), order);
      if (preparing.hasSubscribers) preparing.publish({ sql, database: "sqlite" });
      const [oldest] = cache.keys();
      if (oldest !== undefined && cache.size >= MAX_STATEMENTS) cache.delete(oldest);
    } else if (cache.size < MAX_STATEMENTS / 2) return bound;
    else cache.delete(sql);
    // A map keeps its keys in the order in which they were set: the one used last stands last, once there are many.
    cache.set(sql, bound);
    return bound;
  };
}

function bind(prepared: Statement, order: readonly number[]): Bound {
  const inOrder = order.every((position, index) => position === index);
  const arrange = (values: readonly SqlValue[]) =>
    inOrder ? values : order.map((position) => values[position]);
  return {
    all: (values) => prepared.all(arrange(values)),
    get: (values) => prepared.get(arrange(values)),
    run: (values) => prepared.run(arrange(values)).changes,
  };
}

/**
 * Takes a lock that lasts until it is released or this process ends, however it ends.
 * @returns the release, or nothing when another process holds the lock
 */
export function lockFile(path: string): (() => void) | undefined {
  const handle = openHandle(path, false);
  try {
    handle.pragma("busy_timeout = 0");
    // A journal is a file, for which a full disk has no room. Nothing is ever written that it could undo.
    handle.pragma("journal_mode = MEMORY");
    handle.exec("BEGIN EXCLUSIVE");
    return () => handle.close();
  } catch (error) {
    handle.close();
    if (systemCode(error)?.startsWith("SQLITE_BUSY")) return undefined;
    throw error;
  }
}

/** All pages in one step: between two steps a server could write, and the copy would begin again each time. */
const ALL_PAGES = 0x7fffffff;

/**
 * Copies a database as it is at one instant, while others write to it (https://sqlite.org/backup.html). They wait for
 * nothing: in write-ahead mode a reader keeps no one from writing.
 */
export async function copyDatabase(path: string, copy: string): Promise<void> {
  const handle = openHandle(path, true);
  try {
    await handle.backup(copy, { progress: () => ALL_PAGES });
  } finally {
    handle.close();
  }
}

/** Whether SQLite could not write at all (disk full, I/O error, read-only, locked), as opposed to a refused row. */
export function isStoreFailure(error: unknown): boolean {
  const code = systemCode(error) ?? "";
  return /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|CORRUPT|NOMEM|NOTADB)/.test(code);
}
