import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { MillraceError } from "../../errors/error.ts";

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
export async function requireOwnSession(client: Client, another: () => Promise<Client>): Promise<void> {
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
