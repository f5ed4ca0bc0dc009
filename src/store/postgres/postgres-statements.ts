import { createHash } from "node:crypto";

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
