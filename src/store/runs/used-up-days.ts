import type { UsedUpDay } from "../../runs/rules/budget.ts";
import { DAY_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";
import { recordChange } from "../tables/change-store.ts";

/**
 * Tells that limits of a day are used up, of each one once: while the day moves on, a limit has room for a moment and is used up
 * again, so that it is told again only after a day, or when it was changed.
 */
export async function tellUsedUp(db: Database, days: readonly UsedUpDay[], at: string): Promise<void> {
  for (const { owner, limit, most } of days) {
    const told = await db.first(
      "SELECT 1 FROM used_up_days WHERE owner_uid = $1 AND limit_name = $2 AND most = $3 AND told_at > $4",
      [owner.uid, limit, most, new Date(Date.parse(at) - DAY_MS).toISOString()],
    );
    if (told) continue;
    await db.run(
      `INSERT INTO used_up_days (owner_uid, limit_name, most, told_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (owner_uid, limit_name) DO UPDATE SET most = excluded.most, told_at = excluded.told_at`,
      [owner.uid, limit, most, at],
    );
    const change = { kind: "budget" as const, subject: owner.uid, webhookUid: null, status: limit, at };
    await recordChange(db, { ...change, factoryUid: await factoryOf(db, owner) });
  }
}

async function factoryOf(db: Database, { uid, kind }: UsedUpDay["owner"]): Promise<string | null> {
  if (kind === "factory") return uid;
  const row = await db.first<{ factory_uid: string }>("SELECT factory_uid FROM resources WHERE uid = $1", [
    uid,
  ]);
  return row?.factory_uid ?? null;
}
