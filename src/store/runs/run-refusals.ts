import type { Database } from "../sqlite/database.ts";
import {
  announce,
  CHANGED_COLUMNS,
  type ChangedRun,
  type EventDetails,
  insertRunEvent,
} from "./run-events.ts";

/**
 * What was refused: a start by the run's agent or by an event that the run caused, a connection of its programs, or the tools of an
 * MCP server that did not start.
 */
type Refusal = "start_refused" | "trigger_refused" | "network_refused" | "mcp_server_failed";

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
