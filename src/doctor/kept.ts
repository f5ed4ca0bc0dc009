import type { Config } from "../config/config.ts";
import { errorMessage } from "../error.ts";
import { proveMasterKey } from "../secrets/master-key.ts";
import { openSqlite, type SqliteConnection } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** Lets SQLite look for damage. What is being written meanwhile does not disturb it. */
export async function examineDatabase(path: string): Promise<Finding> {
  const damage = await damageOf(path);
  if (damage === undefined) return ok("database", `${path} is whole`);
  return problem(
    "database",
    `${path} is damaged: ${damage}.`,
    "Stop the server, keep a copy of the folder, and restore the last backup into a fresh one: docs/backup.md.",
  );
}

async function damageOf(path: string): Promise<string | undefined> {
  let connection: SqliteConnection | undefined;
  try {
    connection = openSqlite(path, { readonly: true });
    const rows = await connection.all<{ integrity_check: string }>("PRAGMA integrity_check(5)");
    const found = rows.map(({ integrity_check }) => integrity_check).filter((text) => text !== "ok");
    return found.length > 0 ? found.join("; ") : undefined;
  } catch (error) {
    return errorMessage(error);
  } finally {
    connection?.close();
  }
}

export async function examineMasterKey(
  config: Pick<Config, "masterKey" | "masterKeyFile" | "dataDir">,
  secrets: Store["secrets"],
): Promise<Finding> {
  const opens = await proveMasterKey(config, secrets);
  return ok("master key", opens ? "it opens the sealed secrets" : "nothing is sealed yet");
}

/** A clock may be this much behind what was written down last. */
const TOLERATED_MS = 60_000;

/** Signatures are timed and schedules fire by the clock: one that was set back or jumped refuses senders. */
export async function examineClock(
  { audit, factories }: Pick<Store, "audit" | "factories">,
  now: Date,
): Promise<Finding> {
  const [latest] = await audit.list({ limit: 1 });
  const known = [latest?.at, ...(await factories.list()).map(({ sync }) => sync.attemptedAt)];
  const newest = known
    .filter((at) => at != null)
    .sort()
    .at(-1);
  if (newest === undefined || Date.parse(newest) <= now.getTime() + TOLERATED_MS)
    return ok("clock", now.toISOString());
  return problem(
    "clock",
    `It is ${now.toISOString()} by the clock, and the store was written to at ${newest}.`,
    "Set the clock, and let NTP keep it: signatures with a time in them are refused while it is wrong.",
  );
}
