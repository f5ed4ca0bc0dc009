import type {
  NotificationQuery,
  NotificationStore,
  TargetStanding,
} from "../../notifications/notification.ts";
import { type Database, placeholders, type SqlValue } from "../sqlite/database.ts";
import { NOTIFICATION_COLUMNS, type NotificationRow, toNotification } from "./notification-rows.ts";

/** Reads the outbox, for those who look at it. */
export function notificationLists(
  db: Database,
): Pick<NotificationStore, "list" | "find" | "listStandings" | "listWaitingTargets" | "findWaiting"> {
  return {
    async list(query) {
      const { where, values } = conditions(query);
      const rows = await db.all<NotificationRow>(
        `SELECT ${NOTIFICATION_COLUMNS} FROM notifications ${where}
         ORDER BY notification_id DESC LIMIT $${values.length + 1}`,
        [...values, query.limit],
      );
      return rows.map(toNotification);
    },
    async find(id) {
      const row = await db.first<NotificationRow>(
        `SELECT ${NOTIFICATION_COLUMNS} FROM notifications WHERE notification_id = $1`,
        [id],
      );
      return row && toNotification(row);
    },
    async listStandings(targets) {
      return Promise.all(targets.map((target) => standingOf(db, target)));
    },
    async listWaitingTargets() {
      const rows = await db.all<{ target: string }>(
        "SELECT DISTINCT target FROM notifications WHERE state = 'waiting'",
      );
      return rows.map(({ target }) => target);
    },
    async findWaiting() {
      const row = await db.first<{ count: number }>(
        "SELECT COUNT(*) AS count FROM notifications WHERE state = 'waiting'",
      );
      return row?.count ?? 0;
    },
  };
}

async function standingOf(db: Database, target: string): Promise<TargetStanding> {
  const row = await db.first<{ gone: string | null; rests_until: string | null; failures: number }>(
    "SELECT gone, rests_until, failures FROM notification_targets WHERE target = $1",
    [target],
  );
  const waiting = await db.first<{ count: number }>(
    "SELECT COUNT(*) AS count FROM notifications WHERE target = $1 AND state = 'waiting'",
    [target],
  );
  const last = await db.first<TargetStanding["last"] & object>(
    `SELECT state, created_at AS "createdAt", ended_at AS "endedAt", last_error AS "lastError"
     FROM notifications WHERE target = $1 ORDER BY notification_id DESC LIMIT 1`,
    [target],
  );
  return {
    target,
    waiting: waiting?.count ?? 0,
    gone: row?.gone ?? null,
    restsUntil: row?.rests_until ?? null,
    failures: row?.failures ?? 0,
    last: last ?? null,
  };
}

function conditions({ before, target, states, events, ownedBy }: NotificationQuery) {
  const values: SqlValue[] = [];
  const parts: string[] = [];
  const value = (given: string) => {
    values.push(given);
    return `$${values.length}`;
  };
  const oneOf = (column: string, given: readonly string[]) => {
    if (given.length === 0) return parts.push("1 = 0");
    const listed = placeholders(given.length, values.length);
    values.push(...given);
    return parts.push(`${column} IN (${listed})`);
  };
  if (before !== undefined) parts.push(`notification_id < ${value(before)}`);
  if (target !== undefined) parts.push(`target = ${value(target)}`);
  if (states) oneOf("state", states);
  if (events) oneOf("event", events);
  if (ownedBy) oneOf("owner_uid", ownedBy);
  return { where: parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`, values };
}
