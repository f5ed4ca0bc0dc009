import type { Store } from "../store.ts";
import type { StoredRow, StoredTable } from "./stored-tables.ts";

/** What of the ports is needed beside the rows of the tables. */
export type MovePorts = Pick<Store, "secrets" | "artifactRows" | "factories">;

/** A stopped server's store, which nobody else writes to. */
export interface MoveSource {
  ports: MovePorts;
  /** The rows of a table, some at a time, so that they fit into memory. */
  read(table: StoredTable): AsyncIterable<readonly StoredRow[]>;
  /** The last number that the database has given to a row of a table that it numbers, of those that it remembers. */
  lastNumber(table: StoredTable): Promise<number>;
  /** Lets go of it. */
  close(): Promise<void>;
}

/** A store without anything in it, which nobody else writes to. */
export interface MoveTarget extends MoveSource {
  /** Removes what a new schema has. */
  clear(table: StoredTable): Promise<void>;
  write(table: StoredTable, rows: readonly StoredRow[]): Promise<void>;
  /** The next number is a later one. */
  setLastNumber(table: StoredTable, last: number): Promise<void>;
  /** Makes what was written the store. Without it, closing leaves nothing of it. */
  keep(): Promise<void>;
}

/** So much of a table is held in memory at a time. */
export const BATCH_BYTES = 1024 * 1024;
export const BATCH_ROWS = 5_000;

/** Roughly how much memory a row takes. */
export function sizeOf(row: StoredRow): number {
  let size = 0;
  for (const value of row)
    size += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
  return size;
}
