import { newUuid } from "../../id.ts";
import type { Run } from "../../runs/run.ts";
import type { RunEvent } from "../../runs/run-event.ts";
import { insertRow, tableOf } from "../new-row.ts";
import type { Database } from "../sqlite/database.ts";
import { recordChange } from "../tables/change-store.ts";
import { cancelTaskOfRun } from "../tasks/task-moves.ts";

/** What a run's entering a state is called in its timeline (contract, 1.6). */
const EVENT_TYPES = {
  QUEUED: "oz_run_created",
  PENDING: "oz_run_claimed",
  CLAIMED: "oz_run_claimed",
  INPROGRESS: "agent_started",
  SUCCEEDED: "oz_run_done",
  FAILED: "oz_run_failed",
  BLOCKED: "oz_run_blocked",
  ERROR: "oz_run_errored",
  CANCELLED: "oz_run_cancelled",
} as const;

/** What its creation is called. */
export const CREATED = EVENT_TYPES.QUEUED;

export const RUN_EVENTS = tableOf("run_events", {
  owner: "run_id",
  columns: "event_uuid, run_id, event_type, occurred_at, payload",
});

/** A run as its changes tell of it. */
export interface ChangedRun {
  run_id: string;
  factory_uid: string | null;
  automation_uid: string | null;
  state: Run["state"];
  turn: number;
  task_uid: string | null;
  /** What it belongs to together with other runs. */
  concurrency_key: string | null;
}

export const CHANGED_COLUMNS = "run_id, factory_uid, automation_uid, state, turn, task_uid, concurrency_key";

/** What an event tells beside its turn. */
export type EventDetails = Omit<NonNullable<RunEvent["payload"]>, "turn">;

/** Writes down that runs have moved to the state that they are in: in their timelines and the streams. The list of runs follows the latter. */
export async function recordMoves(
  db: Database,
  runs: readonly ChangedRun[],
  at: string,
  told?: EventDetails,
): Promise<void> {
  for (const run of runs) {
    // A run that waits again is not created again.
    if (run.state !== "QUEUED") await insertEvent(db, run, at, told);
    await announce(db, run, at);
    if (run.state === "CANCELLED" && run.task_uid !== null) {
      await cancelTaskOfRun(db, { ...run, task_uid: run.task_uid }, at);
    }
  }
}

function insertEvent(
  db: Database,
  { run_id, state, turn }: ChangedRun,
  at: string,
  told?: EventDetails,
): Promise<void> {
  return insertRunEvent(db, run_id, EVENT_TYPES[state], at, { turn, ...told });
}

/** Adds to the timeline of a run. */
export async function insertRunEvent(
  db: Database,
  runId: string,
  type: string,
  at: string,
  payload: NonNullable<RunEvent["payload"]>,
): Promise<void> {
  await insertRow(db, {
    table: RUN_EVENTS,
    values: [newUuid(), runId, type, at, JSON.stringify(payload)],
  });
}

/** What has happened to a run, oldest first, after an event. */
export async function listEvents(
  db: Database,
  runId: string,
  { after, limit }: { after?: string; limit: number },
): Promise<RunEvent[]> {
  const rows = await db.all<Omit<RunEvent, "payload"> & { payload: string | null }>(
    `SELECT event_uuid AS id, event_type AS type, occurred_at AS at, payload FROM run_events
     WHERE run_id = $1 AND event_uuid > $2 ORDER BY event_uuid LIMIT $3`,
    [runId, after ?? "", limit],
  );
  return rows.map(({ payload, ...event }) => (payload ? { ...event, payload: JSON.parse(payload) } : event));
}

/** Tells streams, and the list of runs, that a run has changed. */
export function announce(db: Database, run: ChangedRun, at: string): Promise<void> {
  return recordChange(db, {
    kind: "run",
    subject: run.run_id,
    factoryUid: run.factory_uid,
    webhookUid: null,
    status: run.state,
    at,
  });
}
