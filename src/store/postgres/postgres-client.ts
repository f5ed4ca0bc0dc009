import { randomInt } from "node:crypto";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { parsePostgresUrl } from "../../config/database-url.ts";
import { errorMessage, MillraceError, systemCode } from "../../errors/error.ts";
import { findPassword } from "./postgres-password.ts";
import { hostOf, mayBePlain, type PostgresTls, tlsOf } from "./postgres-tls.ts";

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

/** Short, because one that was asked for while the network swallowed everything holds up what comes after that. */
const CONNECT_MS = 3_000;
/** A server that hangs or is cut off inside a transaction lets go of the writer's lock after so long. */
const IDLE_IN_TRANSACTION_MS = 3_000;
/** A connection on which nothing is said for so long is tried. */
const KEEP_ALIVE_MS = 5_000;
/** PostgreSQL does so too, and lets go of the connections of a server that has vanished: they would use up its `max_connections`. */
const KEEP_ALIVES = {
  tcp_keepalives_idle: "5",
  tcp_keepalives_interval: "2",
  tcp_keepalives_count: "3",
};
const INT8 = 20;
const NUMERIC = 1700;
const BOOL = 16;

/**
 * Connects to PostgreSQL, in a session that is the connection's own. Queries of one connection are sent without waiting for the
 * answers to earlier ones, unless something else is said, and carried out in their order. Values come as SQLite gives them: numbers
 * for int8 and numeric, 1 and 0 for truth.
 * @throws MillraceError `service_unavailable` that says why not, or `invalid_request` for a setting that is wrong
 */
export async function connectPostgres(options: ClientOptions): Promise<Client> {
  const { url, settings = {} } = options;
  const client = await openClient(options);
  try {
    const { connectTimeout = CONNECT_MS } = parsePostgresUrl(url);
    if (await isPooled(client, settings, connectTimeout)) {
      await provenOwn(url, client, () => openClient({ url, name: "proof of a session" }, connectTimeout));
    }
    return client;
  } catch (error) {
    // One that does not answer says no goodbye.
    client.end().catch(() => {});
    throw notUsable(error);
  }
}

/** @param answerMs how long each query of it may take; for ever without it */
async function openClient(
  { url, name, waitsForAnswers = false }: ClientOptions,
  answerMs?: number,
): Promise<Client> {
  const address = parsePostgresUrl(url);
  const attempt: Attempt = { host: hostOf(address, process.env), tls: tlsOf(address, process.env) };
  const { dbname, connectTimeout = CONNECT_MS, application_name = "millrace", options } = address;
  const pg = await load();
  const connect = async (ssl: typeof attempt.tls.ssl): Promise<Client> => {
    const client = new pg.Client({
      host: attempt.host,
      port: address.port,
      user: address.user,
      database: dbname,
      password: async () => {
        const { host, port, user = "", database = "" } = client;
        const found = await findPassword(address, { host, port, user, database }, process.env);
        attempt.passwordFrom = found.origin;
        return found.password as string;
      },
      ssl,
      sslnegotiation: "postgres",
      options,
      application_name: `${application_name} ${name}`,
      connectionTimeoutMillis: connectTimeout,
      query_timeout: answerMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      types: { getTypeParser: typeParserOf(pg.types) },
      pipeline: !waitsForAnswers,
    } as ConstructorParameters<typeof pg.Client>[0]);
    // Each query that is under way hears of the end of its connection; without a listener the process would end.
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  try {
    return await connect(attempt.tls.ssl).catch((error) => {
      if (mayRetryPlain(error, attempt.tls)) return connect(false);
      throw error;
    });
  } catch (error) {
    throw notUsable(error, attempt);
  }
}

function typeParserOf(types: typeof import("pg").types): typeof types.getTypeParser {
  const number = (text: string) => Number(text);
  const parsers = new Map<number, (text: string) => unknown>([
    [INT8, number],
    [NUMERIC, number],
    [BOOL, (text) => (text === "t" ? 1 : 0)],
  ]);
  return ((oid: number, format?: "text" | "binary") =>
    parsers.get(oid) ?? types.getTypeParser(oid, format as "text")) as typeof types.getTypeParser;
}

/**
 * Begins the session. Its settings are set here and not by the first message of the connection, where poolers lose or refuse them.
 * @returns whether there is something between this process and PostgreSQL, which has a number of its own for the connection
 */
async function isPooled(
  client: Client,
  settings: Readonly<Record<string, string>>,
  answerMs: number,
): Promise<boolean> {
  const all = {
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    ...KEEP_ALIVES,
    // To compile a statement takes longer than to carry it out: sums over a day of runs would take eight times as long.
    jit: "off",
    ...settings,
  };
  const set = Object.entries(all).map(
    ([key, value]) => `set_config(${client.escapeLiteral(key)}, ${client.escapeLiteral(value)}, false)`,
  );
  const { rows } = await client.query({
    text: `SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS is_standby, ${set.join(", ")}`,
    query_timeout: answerMs,
  } as { text: string });
  const [{ pid, is_standby }] = rows as [{ pid: number; is_standby: number }];
  if (is_standby) throw notPrimary();
  return pid !== (client as unknown as { processID: number }).processID;
}

function notPrimary(): MillraceError {
  return new MillraceError(
    "service_unavailable",
    "The database cannot be used: it is a standby, which takes no writes.",
    {
      remedy:
        "Name the primary in MILLRACE_DATABASE_URL, by a host name that leads to another one after a failover.",
    },
  );
}

/** Connections that are opened together are proven together. */
const proofs = new Map<string, Promise<void>>();

async function provenOwn(url: string, client: Client, another: () => Promise<Client>): Promise<void> {
  const proof = proofs.get(url) ?? requireOwnSession(client, another);
  proofs.set(url, proof);
  await proof.finally(() => proofs.delete(url));
}

/** Ends a connection without waiting for the other side: each query that is under way fails. */
export function cutOff(client: Client): void {
  // `end` says goodbye, and waits for an answer that may never come.
  streamOf(client).destroy();
}

/** What a connection goes over, which changes when it becomes one with TLS. */
export function streamOf(client: Client): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream;
}

/** What is said of a database that cannot be used. */
export function notUsable(cause: unknown, attempt?: Attempt): MillraceError {
  if (cause instanceof MillraceError) return cause;
  const { message, remedy } = (attempt && explainPostgres(cause, attempt)) ?? explained(errorMessage(cause));
  return new MillraceError("service_unavailable", `The database cannot be used: ${message}.`, {
    remedy,
    cause,
  });
}

function explained(why: string) {
  // What `pg` says when PostgreSQL asks for a password and there is none.
  if (why.includes("password must be a string"))
    return {
      message: "it asks for a password, and none is set",
      remedy: "Put the password into a password file, and name that in PGPASSFILE.",
    };
  if (why.includes("Query read timeout"))
    return {
      message: "a connection was accepted, but no query was answered",
      remedy: "Check whether a connection pooler has too few connections: each server needs ten.",
    };
  return {
    message: why,
    remedy: "Check MILLRACE_DATABASE_URL, and that PostgreSQL accepts connections from this machine.",
  };
}

const MAX_KEY = 2 ** 31 - 1;
const RELEASE_MS = 5_000;
const BETWEEN_LOOKS_MS = 20;
const LOOK = `
  SELECT pg_backend_pid() AS session, count(*) AS locks FROM pg_locks
  WHERE locktype = 'advisory' AND classid::bigint = $1 AND objid::bigint = $2 AND objsubid = 2`;

/**
 * Proves that a pooler gives each connection a session of its own, as PgBouncer does in the session mode: millrace has locks and
 * settings of a session, which another connection must not find there. What is looked at is a lock that another connection takes:
 * it is there until that connection ends, and not longer. That two connections have different sessions proves nothing, because a
 * pooler may give one to the other later.
 * @param another opens one more connection
 * @throws MillraceError `service_unavailable` where sessions are shared
 */
async function requireOwnSession(client: Client, another: () => Promise<Client>): Promise<void> {
  const key = [randomInt(MAX_KEY), randomInt(MAX_KEY)];
  const other = await another();
  try {
    const { rows } = await other.query(
      "SELECT pg_backend_pid() AS session, pg_advisory_lock($1, $2) IS NULL",
      key,
    );
    const { session, isLocked } = await look(client, key);
    // A pooler may also reset a session after each transaction.
    if (session === rows[0].session || !isLocked) throw sharedSessions();
  } finally {
    await other.end();
  }
  const until = performance.now() + RELEASE_MS;
  while ((await look(client, key)).isLocked) {
    if (performance.now() > until) throw sharedSessions();
    await sleep(BETWEEN_LOOKS_MS);
  }
}

/** Whether a lock is held by anybody, and the session that was asked. */
async function look(client: Client, key: readonly number[]) {
  const { rows } = await client.query(LOOK, [...key]);
  return { session: rows[0].session, isLocked: rows[0].locks > 0 };
}

function sharedSessions(): MillraceError {
  return new MillraceError(
    "service_unavailable",
    "A connection pooler stands before the database, and shares sessions between connections: what one connection locks or sets is there for others.",
    {
      remedy:
        "Set pool_mode = session for this database in PgBouncer, with the default server_reset_query, or name PostgreSQL itself in MILLRACE_DATABASE_URL.",
    },
  );
}

/** What is known about a connection that failed. */
interface Attempt {
  host: string;
  tls: PostgresTls;
  /** Where its password came from, if it was asked for one. */
  passwordFrom?: string | undefined;
}

export interface Explanation {
  message: string;
  remedy: string;
}

/** What `pg` says of a server without TLS. */
const NO_TLS = "does not support SSL";
const OTHER_AUTHORITY = new Set([
  ...["SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_GET_ISSUER_CERT"],
  ...["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "CERT_SIGNATURE_FAILURE"],
]);

/** Whether a connection failed because the server offers no TLS, and may be opened without it. */
const mayRetryPlain = (error: unknown, tls: PostgresTls) =>
  tls.ssl !== false && mayBePlain(tls) && errorMessage(error).includes(NO_TLS);

/** Says why a connection failed, where it is something that its settings decide. */
function explainPostgres(error: unknown, { host, tls, passwordFrom }: Attempt): Explanation | undefined {
  const [code = "", why] = [systemCode(error), errorMessage(error)];
  if (why.includes(NO_TLS))
    return {
      message: `PostgreSQL at ${host} does not offer TLS, and sslmode=${tls.mode} requires it`,
      remedy:
        "Turn on ssl in PostgreSQL. If you trust the network between the two, add sslmode=disable to MILLRACE_DATABASE_URL.",
    };
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return {
      message: `the certificate of PostgreSQL is for another host than ${host}: ${why}`,
      remedy:
        "Use a host name in MILLRACE_DATABASE_URL that the certificate contains, or sslmode=verify-ca, which does not compare names.",
    };
  if (OTHER_AUTHORITY.has(code)) return otherAuthority(host, tls, why);
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return {
      message: `the certificate of PostgreSQL at ${host} is not valid now: ${why}`,
      remedy: "Renew it, and check the clock of this machine.",
    };
  if (code === "28P01")
    return {
      message: `PostgreSQL at ${host} refuses the password: ${why}`,
      remedy: `Correct the password, which comes from ${passwordFrom ?? "MILLRACE_DATABASE_URL"}.`,
    };
  if (code.startsWith("28") && /no encryption|SSL off/.test(why))
    return {
      message: why,
      remedy: "Add sslmode=require or stricter to MILLRACE_DATABASE_URL.",
    };
  return undefined;
}

function otherAuthority(host: string, { rootFile }: PostgresTls, why: string): Explanation {
  return {
    message: `the certificate of PostgreSQL at ${host} was not issued by an authority ${
      rootFile === undefined ? "that this machine trusts" : `in ${rootFile}`
    } (${why})`,
    remedy:
      rootFile === undefined
        ? "Name the file of its authority as sslrootcert in MILLRACE_DATABASE_URL."
        : "Name the file of the authority that issued it as sslrootcert in MILLRACE_DATABASE_URL.",
  };
}
