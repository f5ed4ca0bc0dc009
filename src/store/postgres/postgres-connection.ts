import { createHash } from "node:crypto";
import type { Client } from "pg";
import { systemCode } from "../../errors/error.ts";
import { allDone } from "../all-done.ts";
import { type Connection, preparing } from "../connection.ts";
import type { SqlValue } from "../sqlite/database.ts";
import { gatherStatements } from "./gather-statements.ts";
import { streamOf } from "./postgres-client.ts";

export interface PostgresConnection extends Connection {
  /** Carries out statements without values. */
  execute(sql: string): Promise<void>;
  /**
   * Carries out a statement in a transaction of its own, which is sent whole: it waits for nothing on the way.
   * @returns the rows, when they are committed
   */
  transact<Row>(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
  /** Whether a transaction has changed something since this was asked last. */
  hasWritten(): boolean;
  close(): Promise<void>;
}

/** Whoever holds this lock writes: one server at a time, for the length of a transaction. */
export const WRITER_LOCK = 0x6d696c6c;

/**
 * A connection to PostgreSQL as the ports see it.
 * @param isAlone whether its transactions come one after the other with those of all servers that say so
 */
export function postgresConnection(client: Client, { isAlone = true } = {}): PostgresConnection {
  const statementOf = createStatements();
  let inTransaction = false;
  let undone = 0;
  let hasWritten = false;

  const ask = (sql: string, values: readonly SqlValue[]) =>
    client.query({ ...statementOf(sql), values: values as SqlValue[] });

  function inOneGo<T>(send: () => T): T {
    const stream = streamOf(client);
    stream.cork();
    try {
      return send();
    } finally {
      stream.uncork();
    }
  }

  const gathered = gatherStatements({ ask, inOneGo });
  const query: typeof gathered = (sql, values) => {
    if (preparing.hasSubscribers) preparing.publish({ sql, database: "postgres" });
    return gathered(sql, values);
  };
  const opening = ["BEGIN", ...(isAlone ? [`SELECT pg_advisory_xact_lock(${WRITER_LOCK})`] : [])];

  /** @throws when the transaction was not committed */
  async function finish(): Promise<void> {
    const [{ rows }, { command }] = await Promise.all([
      client.query<{ wrote: number }>("SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS wrote"),
      client.query("COMMIT"),
    ]);
    inTransaction = false;
    if (rows[0]?.wrote) hasWritten = true;
    // PostgreSQL answers so when a statement of the transaction has failed.
    if (command === "ROLLBACK") throw new Error("the transaction was rolled back");
  }

  let begun: Promise<unknown> = Promise.resolve();

  /** What comes next is sent after it, and fails where it has failed: it need not be waited for. */
  function beginWith(...statements: string[]): void {
    inTransaction = true;
    begun = Promise.all(statements.map((text) => client.query(text)));
    begun.catch(() => {});
  }

  return {
    all: async <Row>(sql: string, values?: readonly SqlValue[]) => (await query(sql, values)).rows as Row[],
    first: async <Row>(sql: string, values?: readonly SqlValue[]) =>
      (await query(sql, values)).rows[0] as Row | undefined,
    run: async (sql, values) => (await query(sql, values)).count,
    isPipelined: true,
    begin: () => beginWith(...opening),
    beginReading: () => beginWith("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
    async commit() {
      await begun;
      await finish();
    },
    async transact<Row>(sql: string, values: readonly SqlValue[]) {
      if (preparing.hasSubscribers) preparing.publish({ sql, database: "postgres" });
      try {
        const [{ rows }] = await inOneGo(() => {
          beginWith(...opening);
          return allDone([ask(sql, values), finish()] as const);
        });
        return rows as Row[];
      } catch (error) {
        undone += 1;
        inTransaction = false;
        throw error;
      }
    },
    rollback() {
      undone += 1;
      if (inTransaction) client.query("ROLLBACK").catch(() => {});
      inTransaction = false;
    },
    async savepoint(work) {
      await client.query("SAVEPOINT call");
      try {
        const result = await work();
        await client.query("RELEASE call");
        return result;
      } catch (error) {
        undone += 1;
        await client.query("ROLLBACK TO call").then(
          () => client.query("RELEASE call"),
          () => {
            inTransaction = false;
          },
        );
        throw error;
      }
    },
    get undone() {
      return undone;
    },
    get inTransaction() {
      return inTransaction;
    },
    isFailure: isPostgresFailure,
    async execute(sql) {
      await client.query(sql);
    },
    hasWritten() {
      const answer = hasWritten;
      hasWritten = false;
      return answer;
    },
    close: () => client.end(),
  };
}

/**
 * Whether PostgreSQL could not be used at all, as opposed to a refused row: the classes of codes for connections, resources, operator
 * intervention, system errors, transactions that were given up, and a standby that is not promoted yet
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
export function isPostgresFailure(error: unknown): boolean {
  const code = systemCode(error);
  if (code !== undefined)
    return /^(?:08|25006|25P0[13]|40|53|55P03|57|58|XX)/.test(code) || /^E[A-Z]+$/.test(code);
  return error instanceof Error && /connection|terminated|timeout/i.test(error.message);
}

/** A statement as PostgreSQL is sent it. */
export interface PostgresStatement {
  text: string;
  /** Under which it is planned once in a connection; nothing for one that is planned each time. */
  name?: string;
}

/** Statements with lists of values are as many as there are lengths of lists: each name is a plan in the memory of PostgreSQL. */
const MAX_NAMED = 500;

/** Makes the statements of a connection out of those of the ports, which are written once for both databases. */
export function createStatements(): (sql: string) => PostgresStatement {
  const named = new Map<string, PostgresStatement>();
  return (sql) => {
    const known = named.get(sql);
    if (known) return known;
    const text = withoutHints(sql);
    if (named.size >= MAX_NAMED) return { text };
    // A name may have 63 bytes.
    const statement = { text, name: createHash("sha256").update(sql).digest("hex").slice(0, 40) };
    named.set(sql, statement);
    return statement;
  };
}

/** The planner of SQLite is told some indexes; that of PostgreSQL knows how many rows there are, and takes no hints. */
function withoutHints(sql: string): string {
  return sql.replace(/ INDEXED BY \w+/g, "");
}
