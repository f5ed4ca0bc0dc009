import type { Client } from "pg";
import { MillraceError } from "../../errors/error.ts";
import type { Migration } from "../sqlite/database.ts";
import { migrations } from "../sqlite/migrations/migrations.ts";

/** Every server holds this lock, together with others, on the number of the last step of the schema that it knows. */
const KNOWN_LOCK = 0x6b6e6f77;
const OLDEST_KNOWN = `
  SELECT MIN(objid::bigint) AS number FROM pg_locks
  WHERE locktype = 'advisory' AND classid::bigint = $1 AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const numberOf = (name: string) => Number(/^\d+/.exec(name)?.[0] ?? lastKnown());
const lastKnown = () => Math.max(...migrations.map(({ name }) => Number.parseInt(name, 10)));

/** Shows other servers what this one knows, for as long as the session lasts. */
export async function showKnownSteps(client: Client, lastStep = lastKnown()): Promise<void> {
  await client.query("SELECT pg_advisory_lock_shared($1, $2)", [KNOWN_LOCK, lastStep]);
}

/**
 * Proves that each server of the database goes on when a step of the schema is applied.
 * @throws MillraceError `service_unavailable` when one of them would not
 */
export async function requireKnowingServers(
  client: Client,
  { name, serversMustKnow = name }: Migration,
): Promise<void> {
  const { rows } = await client.query<{ number: number | null }>(OLDEST_KNOWN, [KNOWN_LOCK]);
  const oldest = rows[0]?.number ?? Number.POSITIVE_INFINITY;
  if (oldest >= numberOf(serversMustKnow)) return;
  throw new MillraceError(
    "service_unavailable",
    `The migration "${name}" cannot be applied while a server with an older version is running: that server does not know "${serversMustKnow}".`,
    {
      remedy:
        "Upgrade all servers to the version in between first, or stop all of them and start this version again.",
    },
  );
}
