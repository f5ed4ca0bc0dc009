import { newUuid } from "../../id.ts";
import { type AudienceOutcome, MAX_AUDIENCES } from "../../runs/rules/run-audience.ts";
import type { Run, RunEvent } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { recordChange } from "../changes/change-store.ts";
import { insertRow, tableOf } from "../new-row.ts";
import type { Database } from "../sqlite/database.ts";
import { MAY_ACT } from "./state-lists.ts";
import { cancelTaskOfRun } from "./task-moves.ts";

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

const ISSUED = "identity_token_issued";

/** For whom the agents of runs have got tokens that say who they are. */
export function runAudiences(db: Database): Pick<RunStore, "noteAudience"> {
  return {
    async noteAudience({ id, turn }, audience, at): Promise<AudienceOutcome> {
      const atWork = await db.first(
        `SELECT run_id FROM runs WHERE run_id = $1 AND turn = $2 AND ${MAY_ACT}`,
        [id, turn],
      );
      if (!atWork) return "not running";
      const rows = await db.all<{ payload: string }>(
        "SELECT payload FROM run_events WHERE run_id = $1 AND event_type = $2",
        [id, ISSUED],
      );
      if (rows.some(({ payload }) => JSON.parse(payload).audience === audience)) return "noted";
      if (rows.length >= MAX_AUDIENCES) return "too many";
      await insertRunEvent(db, id, ISSUED, at, { turn, audience });
      return "noted";
    },
  };
}

/**
 * What was refused: a start by the run's agent or by an event that the run caused, a connection of its programs, or the tools of an
 * MCP server that did not start.
 */
type Refusal =
  | "start_refused"
  | "trigger_refused"
  | "network_refused"
  | "mcp_server_failed"
  | "answer_refused";

/** How many refusals of a kind the timeline of a run shows: an agent that tries for ever does not fill the store. */
export const MAX_REFUSALS_SHOWN = 20;

/**
 * Adds a refusal to the timeline of a run, unless the run was deleted or its timeline shows enough of them.
 * @param details of which the turn is the present one when left out
 */
export async function recordRefusal(
  db: Database,
  runId: string,
  type: Refusal,
  details: EventDetails & { turn?: number },
  at: string,
): Promise<void> {
  const run = await db.first<ChangedRun & { shown: number }>(
    `SELECT ${CHANGED_COLUMNS}, (SELECT COUNT(*) FROM run_events
       WHERE run_events.run_id = runs.run_id AND event_type = $2) AS shown
     FROM runs WHERE run_id = $1`,
    [runId, type],
  );
  if (!run || run.shown >= MAX_REFUSALS_SHOWN) return;
  await insertRunEvent(db, runId, type, at, { turn: run.turn, ...details });
  await announce(db, run, at);
}
