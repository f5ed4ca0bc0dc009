import type { Cause, CauseRun, NotificationStore } from "../../messages/notifications.ts";
import { nextChanges } from "../changes/change-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { outboxStore } from "./outbox-store.ts";
import { NOTIFICATION_TABLES } from "./outbox-tables.ts";

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

interface CauseRow extends Omit<Cause, "run" | "hold"> {
  state: string | null;
  title: string | null;
  automationUid: string | null;
  agentUid: string | null;
  scheduleId: string | null;
  statusMessage: string | null;
  questionId: string | null;
  credential: string | null;
  model: string | null;
  until: string | null;
  reason: string | null;
}

const TOLD_RUN_STATES = "('BLOCKED', 'FAILED', 'ERROR', 'SUCCEEDED')";
const LET_IN = "('Accepted', 'Duplicate')";

/** Reads the log of changes for what may have to be told. */
function notificationCauses(db: Database): Pick<NotificationStore, "findCauses"> {
  return {
    async findCauses(after, webhooks, limit) {
      const { from, upTo } = await nextChanges(db, after, limit);
      if (upTo === after) return { causes: [], upTo };
      const rows = await db.all<CauseRow>(
        `SELECT seq, changes.kind, subject, changes.factory_uid AS "factoryUid", changes.webhook_uid AS "webhookUid", status,
           at, state, title, automation_uid AS "automationUid", agent_uid AS "agentUid", schedule_id AS "scheduleId",
           status_message AS "statusMessage",
           CASE WHEN state = 'BLOCKED' THEN (
             SELECT MAX(message_id) FROM run_messages WHERE run_messages.run_id = runs.run_id AND kind = 'question'
           ) END AS "questionId",
           credential, model, until, reason
         FROM changes LEFT JOIN runs ON changes.kind = 'run' AND run_id = subject
           LEFT JOIN provider_holds ON changes.kind = 'hold' AND hold_id = subject AND ended_at IS NULL
         WHERE seq > $1 AND seq <= $2 AND (
           (changes.kind = 'run' AND status IN ${TOLD_RUN_STATES})
           OR changes.kind IN ('factory', 'budget')
           OR (changes.kind = 'hold' AND status = 'created')
           OR (changes.kind = 'delivery' AND (status NOT IN ${LET_IN}
             ${webhooks.length === 0 ? "" : `OR changes.webhook_uid IN (${placeholders(webhooks.length, 2)})`})))
         ORDER BY seq`,
        [from, upTo, ...webhooks],
      );
      return { causes: rows.map(toCause), upTo };
    },
  };
}

function toCause(row: CauseRow): Cause {
  const { seq, kind, subject, factoryUid, webhookUid, status, at, title, state } = row;
  const { credential, model, until, reason } = row;
  const isHold = credential !== null && model !== null && until !== null && reason !== null;
  const hold = isHold ? { hold: { credential, model, until, reason } } : {};
  const cause = { seq, kind, subject, factoryUid, webhookUid, status, at, ...hold };
  if (title === null || state === null) return cause;
  const { automationUid, agentUid, scheduleId, statusMessage, questionId } = row;
  const message = statusMessage === null ? null : (JSON.parse(statusMessage) as { message: string }).message;
  const run: CauseRun = { state, title, automationUid, agentUid, scheduleId, message, questionId };
  return { ...cause, run };
}
