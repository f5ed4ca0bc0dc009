import type {
  RefusedTriggers,
  TriggeredStart,
  TriggerOutcome,
  TriggerStore,
} from "../../triggers/factory-event.ts";
import { insertRun } from "../runs/insert-run.ts";
import { recordRefusal } from "../runs/run-refusals.ts";
import type { Database } from "../sqlite/database.ts";
import { triggerEvents } from "./trigger-events.ts";
import { refusalOf } from "./trigger-limits.ts";
import { addListeners } from "./trigger-listeners.ts";

/** Which events of factories were followed, and what they have started. */
export function triggerStore(db: Database): TriggerStore {
  return {
    async findProgress() {
      const row = await db.first<{ seq: number }>("SELECT seq FROM trigger_progress");
      const rows = await db.all<{ automation_uid: string; since: number }>(
        "SELECT automation_uid, since FROM trigger_listeners",
      );
      return {
        seq: row?.seq ?? 0,
        since: Object.fromEntries(rows.map(({ automation_uid, since }) => [automation_uid, since])),
      };
    },
    listRefused: (since) =>
      db.all<RefusedTriggers>(
        `SELECT automation_uid AS "automationUid", COUNT(*) AS refused FROM trigger_firings
         WHERE run_id IS NULL AND at >= $1 GROUP BY automation_uid ORDER BY automation_uid`,
        [since],
      ),
    register: (listeners) => addListeners(db, listeners),
    ...triggerEvents(db),
    async start(starts, upTo, at) {
      const outcome: TriggerOutcome = { started: 0, refused: [] };
      for (const start of starts) {
        const { event, run } = start;
        if (!(await isNew(db, event.id, run.automationUid, at))) continue;
        const refused = await refusalOf(db, run);
        if (refused) {
          await recordTriggerRefusal(db, start, refused.reason, at);
          outcome.refused.push({ start, ...refused });
          continue;
        }
        await insertRun(db, run, null, at);
        // It descends from no run of the task where a person has moved that.
        if (event.move) {
          await db.run("UPDATE runs SET task_uid = $1 WHERE run_id = $2", [event.move.taskUid, run.id]);
        }
        await db.run("UPDATE trigger_firings SET run_id = $1 WHERE event_id = $2 AND automation_uid = $3", [
          run.id,
          event.id,
          run.automationUid,
        ]);
        outcome.started += 1;
      }
      await saveProgress(db, upTo);
      return outcome;
    },
    saveProgress: (upTo) => saveProgress(db, upTo),
    prune: (before, limit) =>
      db.run(
        `DELETE FROM trigger_firings WHERE (event_id, automation_uid) IN (
           SELECT event_id, automation_uid FROM trigger_firings WHERE at < $1 ORDER BY at LIMIT $2)`,
        [before, limit],
      ),
  };
}

/** The timeline of the run that caused an event shows what the event did not start. */
async function recordTriggerRefusal(
  db: Database,
  { event: { run }, automation }: TriggeredStart,
  reason: string,
  at: string,
): Promise<void> {
  if (run) await recordRefusal(db, run.id, "trigger_refused", { turn: run.turn, automation, reason }, at);
}

/** An automation that listens no more, because another definition has come into force meanwhile, is started by nothing. */
async function isNew(db: Database, eventId: string, automationUid: string, at: string): Promise<boolean> {
  const inserted = await db.run(
    `INSERT INTO trigger_firings (event_id, automation_uid, run_id, at)
     SELECT $1, automation_uid, NULL, $3 FROM trigger_listeners WHERE automation_uid = $2
     ON CONFLICT (event_id, automation_uid) DO NOTHING`,
    [eventId, automationUid, at],
  );
  return inserted > 0;
}

/** Of two that follow at the same time, the slower one does not take the progress back. */
async function saveProgress(db: Database, upTo: number): Promise<void> {
  await db.run("UPDATE trigger_progress SET seq = $1 WHERE seq < $1", [upTo]);
}
