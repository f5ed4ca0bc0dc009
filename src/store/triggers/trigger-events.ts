import type { EventRun, FactoryEvent, TriggerStore } from "../../triggers/factory-event.ts";
import type { Database } from "../sqlite/database.ts";
import { findDetails } from "./event-details.ts";
import { stageChanges } from "./stage-changes.ts";

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

/** What the timeline of a run calls the moves that are events of its factory. */
const EVENT_TYPES = `CASE changes.status WHEN 'SUCCEEDED' THEN 'oz_run_done' WHEN 'FAILED' THEN 'oz_run_failed'
  WHEN 'ERROR' THEN 'oz_run_errored' WHEN 'CANCELLED' THEN 'oz_run_cancelled' WHEN 'BLOCKED' THEN 'oz_run_blocked' END`;

/** A transaction writes this few changes for a run: those of its end and of its next turn are close together. */
const NEXT_CHANGES = 8;

/** Reads the log of changes for what happens in the factories that listen. */
export function triggerEvents(db: Database): Pick<TriggerStore, "findEvents" | "findDetails"> {
  return {
    async findEvents(after, limit) {
      const range = await db.first<{ first: number | null; last: number | null }>(
        "SELECT (SELECT MIN(seq) FROM changes) AS first, (SELECT MAX(seq) FROM changes) AS last",
      );
      // What was pruned since is not there to be walked over.
      const from = Math.max(after, (range?.first ?? 0) - 1);
      const upTo = Math.max(after, Math.min(range?.last ?? after, from + limit));
      if (upTo === after) return { events: [], upTo };
      const rows = await db.all<RunEventRow>(
        // A change that moves nothing has no event of its instant. A turn that is followed by the next one at once ends no run.
        `SELECT seq, event_uuid AS id, changes.factory_uid AS "factoryUid", changes.at, subject AS "runId", status AS state,
           payload, automation_uid AS "automationUid", agent_uid AS "agentUid"
         FROM changes
         JOIN run_events ON run_events.run_id = subject AND event_type = ${EVENT_TYPES} AND occurred_at = changes.at
         JOIN runs ON runs.run_id = subject
         WHERE seq > $1 AND seq <= $2 AND kind = 'run'
           AND status IN ('SUCCEEDED', 'FAILED', 'ERROR', 'CANCELLED', 'BLOCKED')
           AND changes.factory_uid IN (SELECT factory_uid FROM trigger_listeners)
           AND NOT EXISTS (
             SELECT 1 FROM changes AS next
             WHERE next.seq > changes.seq AND next.seq <= changes.seq + ${NEXT_CHANGES} AND next.kind = 'run'
               AND next.subject = changes.subject AND next.status = 'QUEUED' AND next.at = changes.at)
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
