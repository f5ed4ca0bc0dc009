/** How a URL of PostgreSQL begins. */
const POSTGRES = /^postgres(?:ql)?:\/\//;
const EXPECTED =
  "expected sqlite:PATH, for example sqlite:/var/lib/millrace/millrace.db, or postgres://USER@HOST/DATABASE";

/**
 * Where the database is, as `MILLRACE_DATABASE_URL` says it.
 * @returns the path of a file of SQLite, or the URL of a database of PostgreSQL
 * @throws Error that says what is expected
 */
export function databaseUrl(value: string): string {
  if (POSTGRES.test(value)) {
    if (!URL.canParse(value) || new URL(value).pathname.length < 2) throw new Error(EXPECTED);
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

/** The place of a database as it may be shown. */
export function withoutPassword(database: string): string {
  const url = postgresUrl(database);
  if (url === undefined) return database;
  const shown = new URL(url);
  if (shown.password !== "") shown.password = "********";
  if (shown.searchParams.has("password")) shown.searchParams.set("password", "********");
  return shown.href;
}
