import type { NotificationStore } from "../../notifications/notification.ts";
import { outboxStore } from "../outbox/outbox-store.ts";
import { NOTIFICATION_TABLES } from "../outbox/outbox-tables.ts";
import type { Database } from "../sqlite/database.ts";
import { notificationCauses } from "./notification-causes.ts";

export function notificationStore(db: Database): NotificationStore {
  const outbox: Omit<NotificationStore, "findCauses" | "listSeries"> = outboxStore(db, NOTIFICATION_TABLES);
  return {
    ...outbox,
    ...notificationCauses(db),
    listSeries: () => db.all(`SELECT kind, subject FROM notification_series`),
    async saveFollowed(followed) {
      const { opened, closed, at } = followed;
      for (const { kind, subject } of closed)
        await db.run("DELETE FROM notification_series WHERE kind = $1 AND subject = $2", [kind, subject]);
      for (const { kind, subject } of opened) {
        await db.run(
          "INSERT INTO notification_series (kind, subject, opened_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
          [kind, subject, at],
        );
      }
      // Where another server follows the changes now, this throws, and nothing of it was written.
      return outbox.saveFollowed(followed);
    },
  };
}
