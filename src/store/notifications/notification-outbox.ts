import { firstUuidOf } from "../../id.ts";
import type { NewNotification, NotificationStore } from "../../notifications/notification.ts";
import { HOUR_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";

/** So many wait for one target; those that come after them are counted and not kept. */
const MAX_WAITING = 1_000;
/** A definition is someone's who may push: it has so many sent in an hour, to all of its targets. */
const MAX_PER_HOUR = 120;

/** Writes what following the changes has come to. */
export function notificationOutbox(
  db: Database,
): Pick<
  NotificationStore,
  "findProgress" | "follow" | "pass" | "listSeries" | "saveFollowed" | "saveProgress"
> {
  return {
    async findProgress() {
      const row = await db.first<{ seq: number; is_active: number }>(
        "SELECT seq, is_active FROM notification_progress",
      );
      return { seq: row?.seq ?? 0, isActive: row?.is_active === 1 };
    },
    async follow() {
      await db.run(
        `UPDATE notification_progress SET is_active = 1, seq = COALESCE((SELECT MAX(seq) FROM changes), 0)
         WHERE is_active = 0`,
      );
      return (await db.first<{ seq: number }>("SELECT seq FROM notification_progress"))?.seq ?? 0;
    },
    async pass() {
      await db.run("UPDATE notification_progress SET is_active = 0 WHERE is_active = 1");
    },
    listSeries: () => db.all(`SELECT kind, subject FROM notification_series`),
    async saveFollowed({ from, upTo, opened, closed, notifications, at }) {
      const progress = await db.first<{ seq: number }>("SELECT seq FROM notification_progress");
      if (progress?.seq !== from) throw new Error("another server follows the changes now");
      for (const { kind, subject } of closed)
        await db.run("DELETE FROM notification_series WHERE kind = $1 AND subject = $2", [kind, subject]);
      for (const { kind, subject } of opened) {
        await db.run(
          "INSERT INTO notification_series (kind, subject, opened_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
          [kind, subject, at],
        );
      }
      let dropped = 0;
      // A target takes nothing more among the same changes once it did not: thousands are turned away at no cost.
      const full = new Set<string>();
      for (const each of notifications) {
        if (!full.has(each.target) && (await hasRoom(db, each))) {
          await insert(db, each);
          continue;
        }
        full.add(each.target);
        dropped += 1;
      }
      await saveProgress(upTo);
      return dropped;
    },
    saveProgress,
  };

  async function saveProgress(upTo: number): Promise<void> {
    await db.run("UPDATE notification_progress SET seq = $1 WHERE seq < $1", [upTo]);
  }
}

async function hasRoom(
  db: Database,
  { target, ownerUid, fingerprint, at }: NewNotification,
): Promise<boolean> {
  const gone = await db.first("SELECT target FROM notification_targets WHERE target = $1 AND gone = $2", [
    target,
    fingerprint,
  ]);
  if (gone) return false;
  const waiting = await countUpTo(
    db,
    MAX_WAITING,
    "notifications_waiting",
    "target = $1 AND state = 'waiting'",
    [target],
  );
  if (waiting >= MAX_WAITING) return false;
  if (ownerUid === null) return true;
  // Ids tell when they were made.
  const hourAgo = firstUuidOf(Date.parse(at) - HOUR_MS);
  const recent = await countUpTo(
    db,
    MAX_PER_HOUR,
    "notifications_of_owner",
    "owner_uid = $1 AND notification_id > $2 AND event <> 'test'",
    [ownerUid, hourAgo],
  );
  return recent < MAX_PER_HOUR;
}

/** @param index the one that has what is counted: by another, everything that was ever sent to a target is read */
async function countUpTo(
  db: Database,
  most: number,
  index: string,
  where: string,
  values: string[],
): Promise<number> {
  const row = await db.first<{ count: number }>(
    `SELECT COUNT(*) AS count FROM (SELECT 1 FROM notifications INDEXED BY ${index} WHERE ${where} LIMIT ${most}) AS counted`,
    values,
  );
  return row?.count ?? 0;
}

/** Puts one into the outbox, unless its cause was told to its target. */
async function insert(db: Database, each: NewNotification): Promise<void> {
  const resting = await db.first<{ rests_until: string | null }>(
    "SELECT rests_until FROM notification_targets WHERE target = $1",
    [each.target],
  );
  const until = resting?.rests_until ?? "";
  await insertNotification(db, each, { state: "waiting", nextAttemptAt: until > each.at ? until : each.at });
}

/** Writes a notification down. */
export async function insertNotification(
  db: Database,
  each: NewNotification,
  { state, nextAttemptAt }: { state: "waiting" | "sent" | "failed"; nextAttemptAt: string | null },
): Promise<void> {
  await db.run(
    `INSERT INTO notifications
       (notification_id, dedup_key, target, owner_uid, factory_uid, run_id, event, content, state, created_at,
        next_attempt_at, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (dedup_key) DO NOTHING`,
    [
      each.id,
      `${each.target} ${each.cause}`,
      each.target,
      each.ownerUid,
      each.factoryUid,
      each.runId,
      each.event,
      JSON.stringify(each.content),
      state,
      each.at,
      nextAttemptAt,
      nextAttemptAt === null ? each.at : null,
    ],
  );
}
