import type { AttemptOutcome, NotificationStore } from "../../notifications/notification.ts";
import type { Database } from "../sqlite/database.ts";
import { notificationCauses } from "./notification-causes.ts";
import { notificationLists } from "./notification-lists.ts";
import { insertNotification, notificationOutbox } from "./notification-outbox.ts";
import { NOTIFICATION_COLUMNS, type NotificationRow, toNotification } from "./notification-rows.ts";

export function notificationStore(db: Database): NotificationStore {
  return {
    ...notificationCauses(db),
    ...notificationOutbox(db),
    ...notificationLists(db),
    async record(notification, outcome) {
      await insertNotification(db, notification, {
        state: outcome.state === "sent" ? "sent" : "failed",
        nextAttemptAt: null,
      });
      const { error } = { error: null, ...outcome };
      await db.run("UPDATE notifications SET attempts = 1, last_error = $1 WHERE notification_id = $2", [
        error,
        notification.id,
      ]);
      // Whoever was asked by hand and takes it is there again.
      if (outcome.state === "sent") await noteSent(db, notification.target, notification.at);
    },
    async findNext(target) {
      const row = await db.first<NotificationRow>(
        `SELECT ${NOTIFICATION_COLUMNS} FROM notifications WHERE target = $1 AND state = 'waiting'
         ORDER BY next_attempt_at, notification_id LIMIT 1`,
        [target],
      );
      return row && toNotification(row);
    },
    async saveAttempt(id, outcome, at) {
      const row = await db.first<{ target: string }>(
        "SELECT target FROM notifications WHERE notification_id = $1",
        [id],
      );
      // Its run was deleted while it was sent.
      if (!row) return;
      if (outcome.state === "sent") {
        await end(db, id, "sent", outcome.note, at);
        await noteSent(db, row.target, at);
      } else if (outcome.state === "failed") {
        await end(db, id, "failed", outcome.error, at);
        if (outcome.gone !== undefined) await noteGone(db, row.target, outcome.gone, at);
      } else await postpone(db, id, row.target, outcome);
    },
    async drop(target, at, limit) {
      return db.run(
        `UPDATE notifications SET state = 'dropped', next_attempt_at = NULL, ended_at = $1,
           last_error = 'the target is not configured any more'
         WHERE notification_id IN (
           SELECT notification_id FROM notifications WHERE target = $2 AND state = 'waiting' LIMIT $3)`,
        [at, target, limit],
      );
    },
    async prune(endedBefore, keepNewest, limit) {
      const old = await db.run(
        `DELETE FROM notifications WHERE notification_id IN (
           SELECT notification_id FROM notifications WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)`,
        [endedBefore, limit],
      );
      if (old > 0) return old;
      return db.run(
        `DELETE FROM notifications WHERE notification_id IN (
           SELECT notification_id FROM notifications WHERE ended_at < (
             SELECT ended_at FROM notifications WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 1 OFFSET $1)
           ORDER BY ended_at LIMIT $2)`,
        [keepNewest, limit],
      );
    },
  };
}

async function end(
  db: Database,
  id: string,
  state: "sent" | "failed",
  error: string | null,
  at: string,
): Promise<void> {
  await db.run(
    `UPDATE notifications SET state = $1, attempts = attempts + 1, last_error = $2, next_attempt_at = NULL,
       ended_at = $3 WHERE notification_id = $4`,
    [state, error, at, id],
  );
}

/** What waits for a target that has just answered has no reason to rest. */
async function noteSent(db: Database, target: string, at: string): Promise<void> {
  const rested = await db.run("DELETE FROM notification_targets WHERE target = $1", [target]);
  if (rested === 0) return;
  await db.run(
    `UPDATE notifications SET next_attempt_at = $1
     WHERE target = $2 AND state = 'waiting' AND next_attempt_at > $1 AND attempts = 0`,
    [at, target],
  );
}

async function noteGone(db: Database, target: string, fingerprint: string, at: string): Promise<void> {
  await db.run(
    `INSERT INTO notification_targets (target, gone) VALUES ($1, $2)
     ON CONFLICT (target) DO UPDATE SET gone = excluded.gone, rests_until = NULL`,
    [target, fingerprint],
  );
  await db.run(
    `UPDATE notifications SET state = 'failed', next_attempt_at = NULL, ended_at = $1,
       last_error = 'the receiver answered 410 Gone'
     WHERE target = $2 AND state = 'waiting'`,
    [at, target],
  );
}

/** A target that cannot be reached is not tried again for each notification that waits for it. */
async function postpone(
  db: Database,
  id: string,
  target: string,
  { error, nextAttemptAt, rests }: Extract<AttemptOutcome, { state: "waiting" }>,
): Promise<void> {
  await db.run(
    "UPDATE notifications SET attempts = attempts + 1, last_error = $1, next_attempt_at = $2 WHERE notification_id = $3",
    [error, nextAttemptAt, id],
  );
  if (!rests) return;
  await db.run(
    `INSERT INTO notification_targets (target, rests_until, failures) VALUES ($1, $2, 1)
     ON CONFLICT (target) DO UPDATE SET rests_until = excluded.rests_until, failures = notification_targets.failures + 1`,
    [target, nextAttemptAt],
  );
  await db.run(
    `UPDATE notifications SET next_attempt_at = $1
     WHERE target = $2 AND state = 'waiting' AND next_attempt_at < $1`,
    [nextAttemptAt, target],
  );
}
