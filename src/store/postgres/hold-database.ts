import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { MillraceError } from "../../errors/error.ts";
import { connectPostgres } from "./postgres-client.ts";

/** Whoever holds this lock is the server of the database. */
const SERVER_LOCK = 0x73657276;
/** The server that held it may have been killed just now: PostgreSQL notices when its connection ends. */
const ATTEMPTS = 20;
const BETWEEN_ATTEMPTS_MS = 250;
/** PostgreSQL is asked so often whether the session is still there, and has so long to answer. */
const BEAT_MS = 1_000;
const ANSWER_MS = 5_000;
/**
 * A session whose server cannot be reached is ended by PostgreSQL, and gives the lock to another server, after longer than the
 * server waits for an answer.
 */
const SESSION = {
  tcp_keepalives_idle: "5",
  tcp_keepalives_interval: "2",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "10000",
};

/**
 * Makes this process the only server of a database, for as long as the session lasts.
 * @param onLost hears that the session has ended, or that PostgreSQL does not answer: another server may begin
 * @returns what gives the database to another server
 * @throws MillraceError `service_unavailable` when another server has it
 */
export async function holdDatabase(
  url: string,
  onLost: (error: Error) => void,
): Promise<() => Promise<void>> {
  const client = await connectPostgres({ url, name: "server", settings: SESSION });
  if (!(await takeLock(client))) {
    await client.end();
    throw new MillraceError("service_unavailable", "Another millrace server uses this database.", {
      remedy:
        "Stop it first. Several servers on one database are not supported yet: a second one can be started when the first one has ended.",
    });
  }
  let isOver = false;
  const lose = (why: string) => {
    if (isOver) return;
    isOver = true;
    clearInterval(beats);
    onLost(new Error(`The session that makes this server the only one of its database was lost: ${why}`));
  };
  client.on("end", () => lose("the connection has ended"));
  let heardAt = performance.now();
  const beats = setInterval(() => {
    if (performance.now() - heardAt > ANSWER_MS) return lose("PostgreSQL does not answer");
    client.query("SELECT 1").then(
      () => {
        heardAt = performance.now();
      },
      // The end of the connection is told as such.
      () => {},
    );
  }, BEAT_MS);
  return async () => {
    isOver = true;
    clearInterval(beats);
    await client.end();
  };
}

async function takeLock(client: Client): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(BETWEEN_ATTEMPTS_MS);
    const { rows } = await client.query<{ held: number }>("SELECT pg_try_advisory_lock($1) AS held", [
      SERVER_LOCK,
    ]);
    if (rows[0]?.held) return true;
  }
  return false;
}
