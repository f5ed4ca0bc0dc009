import { parsePostgresUrl } from "./postgres-url.ts";

/** How a URL of PostgreSQL begins. */
const POSTGRES = /^postgres(?:ql)?:\/\//;
const EXPECTED =
  "expected sqlite:PATH, for example sqlite:/var/lib/millrace/millrace.db, or postgres://USER@HOST/DATABASE";
/** A password may have characters that make a URL none. */
const PASSWORD = /^([a-z]+:\/\/[^:@/]*):(.*)@/s;
const HIDDEN = "********";

/**
 * Where the database is, as `MILLRACE_DATABASE_URL` says it.
 * @returns the path of a file of SQLite, or the URL of a database of PostgreSQL
 * @throws Error that says what is expected
 */
export function databaseUrl(value: string): string {
  if (POSTGRES.test(value)) {
    parsePostgresUrl(value);
    return value;
  }
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  if (path === undefined) throw new Error(EXPECTED);
  return path;
}

/** The URL, for a database of PostgreSQL; nothing for one of SQLite. */
export function postgresUrl(database: string | undefined): string | undefined {
  return database !== undefined && POSTGRES.test(database) ? database : undefined;
}

/** The place of a database as it may be shown, also one that is not valid. */
export function withoutPassword(database: string): string {
  return database.replace(PASSWORD, `$1:${HIDDEN}@`).replace(/([?&]password=)[^&]*/g, `$1${HIDDEN}`);
}
