import type { Client } from "pg";
import { MillraceError } from "../../errors/error.ts";
import { connectPostgres } from "./postgres-client.ts";

/** Whoever holds this lock is the server of the database. */
const SERVER_LOCK = 0x73657276;
/** The server that held it may have been killed just now: PostgreSQL notices when its connection ends. */
const ATTEMPTS = 20;
const BETWEEN_ATTEMPTS_MS = 250;

/**
 * Makes this process the only server of a database, for as long as the connection lasts.
 * @param onLost hears that the connection has ended: another server may begin
 * @returns what gives the database to another server
 * @throws MillraceError `service_unavailable` when another server has it
 */
export async function holdDatabase(
  url: string,
  onLost: (error: Error) => void,
): Promise<() => Promise<void>> {
  const client = await connectPostgres({ url, name: "server" });
  if (!(await takeLock(client))) {
    await client.end();
    throw new MillraceError("service_unavailable", "Another millrace server uses this database.", {
      remedy:
        "Stop it first. Several servers on one database are not supported yet: a second one can be started when the first one has ended.",
    });
  }
  let isReleased = false;
  client.on("end", () => {
    if (!isReleased)
      onLost(new Error("the connection that makes this server the only one of its database has ended"));
  });
  return async () => {
    isReleased = true;
    await client.end();
  };
}

async function takeLock(client: Client): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { rows } = await client.query<{ held: number }>("SELECT pg_try_advisory_lock($1) AS held", [
      SERVER_LOCK,
    ]);
    if (rows[0]?.held) return true;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_ATTEMPTS_MS));
  }
  return false;
}
