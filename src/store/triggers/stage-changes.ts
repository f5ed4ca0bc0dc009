import type { EventRun, FactoryEvent } from "../../triggers/factory-event.ts";
import type { Database } from "../sqlite/database.ts";

interface StageRow {
  seq: number;
  eventSeq: number;
  factoryUid: string;
  at: string;
  taskUid: string;
  from: string | null;
  to: string;
  runId: string | null;
  turn: number;
  state: EventRun["state"];
  automationUid: string | null;
  agentUid: string | null;
}

/** The entries of tasks into stages among some changes. An edit of a task is announced too, and has no event of its instant. */
export async function stageChanges(db: Database, from: number, upTo: number): Promise<FactoryEvent[]> {
  const rows = await db.all<StageRow>(
    `SELECT changes.seq, task_events.seq AS "eventSeq", changes.factory_uid AS "factoryUid", changes.at,
       task_events.task_uid AS "taskUid", from_stage AS "from", to_stage AS "to", runs.run_id AS "runId", runs.turn, runs.state,
       runs.automation_uid AS "automationUid", runs.agent_uid AS "agentUid"
     FROM changes
     JOIN task_events ON task_events.task_uid = changes.subject AND to_stage = status AND task_events.at = changes.at
     LEFT JOIN runs ON runs.run_id = task_events.run_id
     WHERE changes.seq > $1 AND changes.seq <= $2 AND changes.kind = 'task'
       AND changes.factory_uid IN (SELECT factory_uid FROM trigger_listeners)
     ORDER BY changes.seq`,
    [from, upTo],
  );
  return rows.map(({ seq, eventSeq, factoryUid, at, taskUid, from: left, to, runId, ...run }) => ({
    seq,
    id: `task:${eventSeq}`,
    name: "work_item_stage_changed",
    factoryUid,
    at,
    run:
      runId === null
        ? null
        : {
            id: runId,
            turn: run.turn,
            state: run.state,
            automationUid: run.automationUid,
            agentUid: run.agentUid,
          },
    move: { taskUid, from: left, to },
  }));
}
