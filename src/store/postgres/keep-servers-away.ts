import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { MillraceError } from "../../errors/error.ts";
import { SERVERS_LOCK } from "./server-session.ts";

/** A server that was stopped just now may not be gone yet. */
const ATTEMPTS = 8;
const BETWEEN_ATTEMPTS_MS = 250;

/**
 * Keeps every server away from a database until the session of this client ends.
 * @throws MillraceError `service_unavailable` when a server uses it
 */
export async function keepServersAway(client: Client): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(BETWEEN_ATTEMPTS_MS);
    // No server can have it at the same time, however servers share it among themselves.
    const { rows } = await client.query<{ held: number }>("SELECT pg_try_advisory_lock($1) AS held", [
      SERVERS_LOCK,
    ]);
    if (rows[0]?.held) return;
  }
  throw new MillraceError(
    "service_unavailable",
    "A millrace server or another move uses the PostgreSQL database.",
    {
      remedy: "Stop every server that uses it, and try again.",
    },
  );
}
