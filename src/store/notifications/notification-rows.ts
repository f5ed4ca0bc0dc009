import type { Notification } from "../../notifications/notification.ts";

/** A notification as the database names it. */
export interface NotificationRow {
  notification_id: string;
  target: string;
  owner_uid: string | null;
  factory_uid: string | null;
  run_id: string | null;
  event: Notification["event"];
  content: string;
  state: Notification["state"];
  attempts: number;
  last_error: string | null;
  created_at: string;
  next_attempt_at: string | null;
  ended_at: string | null;
}

export const NOTIFICATION_COLUMNS = `notification_id, target, owner_uid, factory_uid, run_id, event, content, state,
  attempts, last_error, created_at, next_attempt_at, ended_at`;

export function toNotification(row: NotificationRow): Notification {
  return {
    id: row.notification_id,
    target: row.target,
    ownerUid: row.owner_uid,
    factoryUid: row.factory_uid,
    runId: row.run_id,
    event: row.event,
    content: JSON.parse(row.content),
    state: row.state,
    attempts: row.attempts,
    lastError: row.last_error,
    createdAt: row.created_at,
    nextAttemptAt: row.next_attempt_at,
    endedAt: row.ended_at,
  };
}
