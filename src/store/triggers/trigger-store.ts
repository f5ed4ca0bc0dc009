import type { NewRun } from "../../runs/run.ts";
import type { EventTask } from "../../runs/start/automation-run.ts";
import type {
  EventDetails,
  EventRun,
  FactoryEvent,
  RefusedTriggers,
  TriggeredStart,
  TriggerOutcome,
  TriggerRefusal,
  TriggerStore,
} from "../../runs/triggers/factory-event.ts";
import { ENDS_OR_BLOCKS, EVENT_OF_MOVE, nextChanges } from "../changes/change-store.ts";
import { insertRun } from "../runs/insert-run.ts";
import { runArtifacts } from "../runs/run-artifacts.ts";
import { recordRefusal } from "../runs/run-events.ts";
import { isFamilyFull } from "../runs/run-families.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "../runs/run-row.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
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

interface RunEventRow {
  seq: number;
  id: string;
  factoryUid: string;
  at: string;
  runId: string;
  state: EventRun["state"];
  payload: string;
  automationUid: string | null;
  agentUid: string | null;
}

/** Reads the log of changes for what happens in the factories that listen. */
function triggerEvents(db: Database): Pick<TriggerStore, "findEvents" | "findDetails"> {
  return {
    async findEvents(after, limit) {
      const { from, upTo } = await nextChanges(db, after, limit);
      if (upTo === after) return { events: [], upTo };
      const rows = await db.all<RunEventRow>(
        `SELECT seq, event_uuid AS id, changes.factory_uid AS "factoryUid", changes.at, subject AS "runId", status AS state,
           payload, automation_uid AS "automationUid", agent_uid AS "agentUid"
         FROM changes
         ${EVENT_OF_MOVE}
         JOIN runs ON runs.run_id = subject
         WHERE seq > $1 AND seq <= $2 AND kind = 'run'
           AND status IN ('SUCCEEDED', 'FAILED', 'ERROR', 'CANCELLED', 'BLOCKED')
           AND changes.factory_uid IN (SELECT factory_uid FROM trigger_listeners)
           AND ${ENDS_OR_BLOCKS}
         ORDER BY seq`,
        [from, upTo],
      );
      const moves = await stageChanges(db, from, upTo);
      const events = [...rows.map(toEvent), ...moves].sort((a, b) => a.seq - b.seq);
      return { events, upTo };
    },
    findDetails: (event) => findDetails(db, event),
  };
}

function toEvent(row: RunEventRow): FactoryEvent {
  const { seq, id, factoryUid, at, runId, state, payload, automationUid, agentUid } = row;
  const { turn } = JSON.parse(payload) as { turn: number };
  const name = state === "BLOCKED" ? "run_blocked" : "run_ended";
  return {
    seq,
    id,
    name,
    factoryUid,
    at,
    run: { id: runId, turn, state, automationUid, agentUid },
    move: null,
  };
}

/** What is known of the run and of the task that an event is about. */
async function findDetails(db: Database, event: FactoryEvent): Promise<EventDetails | undefined> {
  const ofRun = event.run ? await runDetails(db, event.run) : undefined;
  if (event.run && !ofRun) return undefined;
  const taskUid = event.move?.taskUid ?? ofRun?.run?.taskUid;
  const task = taskUid == null ? undefined : await findTask(db, taskUid);
  if (event.move && !task) return undefined;
  return { ...(ofRun ?? { run: null, answer: null, artifacts: [] }), task: task ?? null };
}

async function runDetails(
  db: Database,
  { id, turn }: NonNullable<FactoryEvent["run"]>,
): Promise<Omit<EventDetails, "task"> | undefined> {
  const row = await db.first<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = $1`, [id]);
  if (!row) return undefined;
  const said = await db.first<{ text: string }>(
    `SELECT text FROM run_messages WHERE run_id = $1 AND turn = $2 AND kind = 'answer'
     ORDER BY message_id DESC LIMIT 1`,
    [id, turn],
  );
  const artifacts = await runArtifacts(db).listArtifacts([id]);
  return { run: toRun(row), answer: said?.text ?? null, artifacts: artifacts[id] ?? [] };
}

async function findTask(db: Database, uid: string): Promise<EventTask | undefined> {
  const row = await db.first<
    Omit<EventTask, "ticket"> & { ticketId: string | null; source: string | null; url: string | null }
  >(
    `SELECT uid, title, description, stage, ticket_id AS "ticketId", ticket_source AS source, ticket_url AS url
     FROM tasks WHERE uid = $1 AND deleted_at IS NULL`,
    [uid],
  );
  if (!row) return undefined;
  const { ticketId: id, source, url, ...task } = row;
  return { ...task, ticket: id === null || source === null ? null : { source, id, url } };
}

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
async function stageChanges(db: Database, from: number, upTo: number): Promise<FactoryEvent[]> {
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

/** How many runs of one automation may be on a line of runs that start each other. An automation that starts itself ends there. */
const MAX_OF_AUTOMATION_IN_LINE = 3;

/** The bound that one more run would break. */
async function refusalOf(
  db: Database,
  { ancestors, automationUid }: NewRun,
): Promise<{ refusal: TriggerRefusal; reason: string } | undefined> {
  if (ancestors.length === 0) return undefined;
  const row = await db.first<{ runs: number }>(
    `SELECT COUNT(*) AS runs FROM runs
     WHERE run_id IN (${placeholders(ancestors.length)}) AND automation_uid = $${ancestors.length + 1}`,
    [...ancestors, automationUid],
  );
  if ((row?.runs ?? 0) >= MAX_OF_AUTOMATION_IN_LINE) {
    const reason = `loop: the automation has already started ${MAX_OF_AUTOMATION_IN_LINE} runs on the way to this one`;
    return { refusal: "loop", reason };
  }
  if (await isFamilyFull(db, ancestors[0] ?? "")) {
    return { refusal: "family", reason: "family: the family has as many runs as a family may have" };
  }
  return undefined;
}
