/** What a statement can be given: SQLite and PostgreSQL both take these as they are. */
export type SqlValue = string | number | Uint8Array | null;

/**
 * The database as the ports see it. Their statements must run on PostgreSQL one day as they run on SQLite now, so they
 * keep to what both know: parameters as `$1`, columns of TEXT, INTEGER and BLOB, instants and JSON written as text.
 *
 * A method of a port runs inside one transaction that its caller opens and commits (see group-commit.ts), so a method
 * that throws leaves nothing behind.
 */
export interface Database {
  all<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row[]>;
  first<Row>(sql: string, values?: readonly SqlValue[]): Promise<Row | undefined>;
  /** @returns how many rows were written */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
  /** Rises whenever something that was written has been undone: what was remembered of it is not true any more. */
  readonly undone: number;
}

/** A step of the schema: its number and deed, and the SQL that does it. Never edited once it is released. */
export interface Migration {
  name: string;
  sql: string;
  /**
   * The last step that a server has to know to go on with a database that has this one. Without it, servers have to know this one
   * itself: the others are stopped for the upgrade. It counts on PostgreSQL, which servers of two versions share while they are
   * upgraded (CONTRIBUTING.md).
   */
  serversMustKnow?: string;
}

/** `$1, $2, …` for a list of values that starts after `before` other parameters. */
export function placeholders(count: number, before = 0): string {
  return Array.from({ length: count }, (_, index) => `$${before + index + 1}`).join(", ");
}

/** A limit where a statement has to have one, because of its offset. */
export const NO_LIMIT = "9223372036854775807";
