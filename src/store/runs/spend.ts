import { isUsedUp } from "../../runs/rules/budget.ts";
import { DAY_MS, MINUTE_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";

const MINUTE_LENGTH = "2026-11-21T10:00".length;

/** Adds to what the runs of some owners have used; less than nothing where a last report corrects earlier ones. */
export async function addSpend(
  db: Database,
  owners: readonly (string | null)[],
  usd: number,
  at: string,
): Promise<void> {
  if (usd === 0) return;
  for (const owner of owners) {
    if (owner === null) continue;
    await db.run(
      `INSERT INTO spend (owner_uid, minute, usd) VALUES ($1, $2, $3)
       ON CONFLICT (owner_uid, minute) DO UPDATE SET usd = spend.usd + excluded.usd`,
      [owner, minuteOf(at), usd],
    );
  }
}

/** What the runs of an owner have used in the day before an instant, in US dollars. */
export async function findSpent(db: Database, owner: string, at: string): Promise<number> {
  const [since, until] = dayAround(at);
  const row = await db.first<{ usd: number | null }>(
    "SELECT SUM(usd) AS usd FROM spend WHERE owner_uid = $1 AND minute >= $2 AND minute <= $3",
    [owner, since, until],
  );
  return row?.usd ?? 0;
}

/** When enough of what was used is a day old for a limit to have room again. */
export async function findSpendOpening(
  db: Database,
  owner: string,
  most: number,
  at: string,
): Promise<string | undefined> {
  const rows = await db.all<{ minute: string; usd: number }>(
    "SELECT minute, usd FROM spend WHERE owner_uid = $1 AND minute >= $2 AND minute <= $3 ORDER BY minute",
    [owner, ...dayAround(at)],
  );
  let left = rows.reduce((sum, { usd }) => sum + usd, 0);
  for (const { minute, usd } of rows) {
    left -= usd;
    if (!isUsedUp(left, most)) return new Date(Date.parse(`${minute}Z`) + DAY_MS + MINUTE_MS).toISOString();
  }
  return undefined;
}

/** Forgets what was used so long before an instant that no day has it. @returns how much of it */
export function pruneSpend(db: Database, at: string, limit: number): Promise<number> {
  const before = minuteOf(new Date(Date.parse(at) - 2 * DAY_MS).toISOString());
  return db.run(
    `DELETE FROM spend WHERE (owner_uid, minute) IN
       (SELECT owner_uid, minute FROM spend WHERE minute < $1 ORDER BY minute LIMIT $2)`,
    [before, limit],
  );
}

const minuteOf = (at: string) => at.slice(0, MINUTE_LENGTH);

/**
 * The minutes of a day, the one that it begins in included. A clock that was set back leaves some of them in its future: those of a
 * day count, as with the starts of an hour.
 */
function dayAround(at: string): [since: string, until: string] {
  const now = Date.parse(at);
  return [minuteOf(new Date(now - DAY_MS).toISOString()), minuteOf(new Date(now + DAY_MS).toISOString())];
}
