import { channel } from "node:diagnostics_channel";
import type { Database } from "./sqlite/database.ts";

/** Hears of each statement when it is prepared. The tests explain them all (test/given/explained-statements.ts). */
export const preparing = channel("millrace:statement");

/**
 * One connection to a database, with the transaction control that group commit needs. SQLite answers at once, and PostgreSQL over
 * the network: whoever calls awaits both.
 */
export interface Connection extends Database {
  /** Whether statements that are asked for at the same time share round trips, so that it pays to carry out calls side by side. */
  readonly isPipelined: boolean;
  /** Begins a transaction that writes, once nobody else does. */
  begin(): unknown;
  /** Begins a transaction that reads one state of the database. */
  beginReading(): unknown;
  commit(): unknown;
  /** Never throws: a connection that is gone has no transaction. */
  rollback(): unknown;
  /** Runs inside a savepoint: what throws is undone alone, unless the database has given up the whole transaction. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
  readonly inTransaction: boolean;
  /** Whether an error says that the database could not be used at all, so that trying again later can help. */
  isFailure(error: unknown): boolean;
}
