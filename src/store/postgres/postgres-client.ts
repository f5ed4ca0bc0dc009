import type { Duplex } from "node:stream";
import type { Client } from "pg";
import { errorMessage, MillraceError } from "../../errors/error.ts";

/** The parts of `pg` that are used; it is loaded where a database of PostgreSQL was asked for, and nowhere else. */
const load = () => import("pg").then(({ default: pg }) => pg);

export interface ClientOptions {
  /** `postgres://…` with what libpq takes there: sslmode, sslrootcert, and so on. */
  url: string;
  /** How the connection is named in `pg_stat_activity`. */
  name: string;
  /** Settings of the session, for example `synchronous_commit`. */
  settings?: Readonly<Record<string, string>>;
  /** Whether each query waits for the answer to the one before it, as streams of rows need it. */
  waitsForAnswers?: boolean;
}

const CONNECT_MS = 10_000;
/** A server that hangs or is cut off inside a transaction lets go of the writer's lock after so long. */
const IDLE_IN_TRANSACTION_MS = 3_000;
/** A connection on which nothing is said for so long is tried. */
const KEEP_ALIVE_MS = 5_000;
const INT8 = 20;
const NUMERIC = 1700;
const BOOL = 16;

/**
 * Connects to PostgreSQL. Queries of one connection are sent without waiting for the answers to earlier ones, unless something else
 * is said, and carried out in their order. Values come as SQLite gives them: numbers for int8 and numeric, 1 and 0 for truth.
 * @throws MillraceError `service_unavailable` that says why not
 */
export async function connectPostgres({
  url,
  name,
  settings = {},
  waitsForAnswers = false,
}: ClientOptions): Promise<Client> {
  const pg = await load();
  const number = (text: string) => Number(text);
  const parsers = new Map<number, (text: string) => unknown>([
    [INT8, number],
    [NUMERIC, number],
    [BOOL, (text) => (text === "t" ? 1 : 0)],
  ]);
  const getTypeParser = ((oid: number, format?: "text" | "binary") =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser;
  const client = new pg.Client({
    connectionString: url,
    application_name: `millrace ${name}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    options: sessionOptions({
      idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
      ...settings,
    }),
    types: { getTypeParser },
    pipeline: !waitsForAnswers,
  } as ConstructorParameters<typeof pg.Client>[0]);
  // Each query that is under way hears of the end of its connection; without a listener the process would end.
  client.on("error", () => {});
  await client.connect().catch((error) => {
    throw notUsable(error);
  });
  return client;
}

/** Ends a connection without waiting for the other side: each query that is under way fails. */
export function cutOff(client: Client): void {
  // `end` says goodbye, and waits for an answer that may never come.
  const { connection } = client as unknown as { connection: { stream: Duplex } };
  connection.stream.destroy();
}

/** What is said of a database that cannot be used. */
export function notUsable(cause: unknown): MillraceError {
  const why = errorMessage(cause);
  // What `pg` says when PostgreSQL asks for a password and there is none.
  const lacksPassword = why.includes("password must be a string");
  return new MillraceError(
    "service_unavailable",
    `The database cannot be used: ${lacksPassword ? "it asks for a password, and none is set" : why}.`,
    {
      remedy: lacksPassword
        ? "Put the password into a password file, and name that in PGPASSFILE."
        : "Check MILLRACE_DATABASE_URL, and that PostgreSQL accepts connections from this machine.",
      cause,
    },
  );
}

function sessionOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([key, value]) => `-c ${key}=${value}`)
    .join(" ");
}
