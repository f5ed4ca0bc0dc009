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

/** How a connection is protected, in the words of libpq. */
export const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
export type SslMode = (typeof SSL_MODES)[number];

/** The parameters of libpq that have an effect. One that has none is refused: it may be what protects somebody's connection. */
const PARAMETERS = [
  ...["host", "port", "user", "password", "dbname", "passfile"],
  ...["sslmode", "ssl", "sslrootcert", "sslcert", "sslkey"],
  ...["application_name", "connect_timeout", "options", "target_session_attrs"],
] as const;
type Parameter = (typeof PARAMETERS)[number];

/** Where a database of PostgreSQL is, and how it is reached. */
export interface PostgresAddress extends Partial<Record<Exclude<Parameter, "port" | "sslmode">, string>> {
  port?: number;
  sslmode?: SslMode;
  /** In milliseconds. */
  connectTimeout?: number;
}

const ENCODING =
  "Percent-encode special characters of the user, the password and the database, for example @ as %40";

/**
 * Takes apart a URL of PostgreSQL in the form of libpq.
 * @throws Error that says what is expected
 */
export function parsePostgresUrl(text: string): PostgresAddress {
  if (/^postgres(?:ql)?:\/\/[^/?#]*,/.test(text))
    throw new Error("expected one host, for example a name that always leads to the primary");
  if (!URL.canParse(text)) throw new Error(`expected postgres://USER@HOST/DATABASE. ${ENCODING}`);
  const url = new URL(text);
  const address = { ...ofParts(url), ...ofParameters(url.searchParams) };
  if (!address.dbname) throw new Error("expected the name of a database: postgres://USER@HOST/DATABASE");
  return address;
}

function ofParts(url: URL): PostgresAddress {
  const path = url.pathname.slice(1);
  if (/[/@]/.test(path) || url.hash !== "") throw new Error(`unexpected / @ or #. ${ENCODING}`);
  const { port } = url;
  const parts = {
    host: decoded(url.hostname.replace(/^\[(.+)\]$/, "$1")),
    user: decoded(url.username),
    password: decoded(url.password),
    dbname: decoded(path),
  };
  const written = Object.entries(parts).filter(([, value]) => value !== "");
  return { ...Object.fromEntries(written), ...(port === "" ? {} : { port: Number(port) }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`unexpected %. ${ENCODING}, and % as %25`);
  }
}

function ofParameters(parameters: URLSearchParams): PostgresAddress {
  const given: Partial<Record<Parameter, string>> = {};
  for (const [name, value] of parameters) {
    if (!isParameter(name)) throw new Error(`unexpected ${name}: expected ${PARAMETERS.join(", ")}`);
    given[name] = value;
  }
  const { port, sslmode, ssl, connect_timeout, target_session_attrs, ...others } = given;
  const mode = sslmode ?? jdbcMode(ssl);
  if (mode !== undefined && !isSslMode(mode))
    throw new Error(`unexpected sslmode=${mode}: expected ${SSL_MODES.join(", ")}`);
  if (target_session_attrs && !["any", "primary", "read-write"].includes(target_session_attrs))
    throw new Error(
      `unexpected target_session_attrs=${target_session_attrs}: expected primary or read-write`,
    );
  return {
    ...others,
    ...(port === undefined ? {} : { port: wholeNumber("port", port) }),
    ...(mode === undefined ? {} : { sslmode: mode }),
    ...(connect_timeout === undefined
      ? {}
      : { connectTimeout: wholeNumber("connect_timeout", connect_timeout) * 1_000 }),
  };
}

/** What JDBC says for `sslmode=require` libpq takes too. */
function jdbcMode(ssl: string | undefined): SslMode | undefined {
  if (ssl === undefined) return undefined;
  if (ssl === "true") return "require";
  throw new Error(`unexpected ssl=${ssl}: expected sslmode, which is one of ${SSL_MODES.join(", ")}`);
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`unexpected ${name}=${text}: expected a whole number`);
  return Number(text);
}

const isParameter = (name: string): name is Parameter => (PARAMETERS as readonly string[]).includes(name);

/** Whether a text is one of the modes. */
export const isSslMode = (text: string): text is SslMode => (SSL_MODES as readonly string[]).includes(text);
