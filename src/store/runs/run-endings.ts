import { type Dismissal, dismissedMessage } from "../../runs/rules/dismissal.ts";
import { endingMove, LEASED_STATES, MOVES } from "../../runs/rules/state.ts";
import type { Ending, Run, RunStatusMessage, RunStore } from "../../runs/run.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { saveAnswer } from "./run-conversation.ts";
import type { EventDetails } from "./run-events.ts";
import { moveRuns } from "./run-moves.ts";

/** A run that a worker has, as its ending needs it. */
interface LeasedRun {
  run_id: string;
  state: Run["state"];
  turn: number;
  turn_started_at: string | null;
  cancel_requested_at: string | null;
  dismissal: string | null;
}

const LEASED_COLUMNS = "run_id, state, turn, turn_started_at, cancel_requested_at, dismissal";
const LEASED = LEASED_STATES.map((state) => `'${state}'`).join(", ");

/** How the turns of runs end, and what comes after them. */
export function runEndings(
  db: Database,
): Pick<RunStore, "finish" | "cancel" | "dismiss" | "listLeased" | "recoverLost"> {
  return {
    async finish({ id, ticket }, ending, at) {
      const run = await db.first<LeasedRun>(
        `SELECT ${LEASED_COLUMNS} FROM runs
         WHERE run_id = $1 AND ticket = $2 AND lease_expires_at IS NOT NULL AND state IN (${LEASED})`,
        [id, ticket],
      );
      if (!run) return undefined;
      if (ending.answer !== undefined) {
        await db.run("UPDATE runs SET answer = $1 WHERE run_id = $2", [ending.answer, id]);
        await saveAnswer(db, id, run.turn, ending.answer, at);
      }
      return endTurn(db, run, ending, at);
    },
    async cancel(id, at) {
      const before = await db.first<{ state: Run["state"] }>("SELECT state FROM runs WHERE run_id = $1", [
        id,
      ]);
      if (before?.state === "QUEUED") {
        const set = "cancel_requested_at = $1, finished_at = $1";
        await moveRuns(db, MOVES.cancel, { set, where: "run_id = $2", values: [id] }, at);
        return before.state;
      }
      await db.run(
        `UPDATE runs SET cancel_requested_at = $1
         WHERE run_id = $2 AND state IN ('CLAIMED', 'INPROGRESS') AND cancel_requested_at IS NULL`,
        [at, id],
      );
      return before?.state;
    },
    async dismiss(id, dismissal, at) {
      const before = await db.first<{ state: Run["state"]; lease_expires_at: string | null }>(
        "SELECT state, lease_expires_at FROM runs WHERE run_id = $1",
        [id],
      );
      if (before?.state !== "BLOCKED") return before?.state;
      if (before.lease_expires_at === null) await dismissResting(db, id, dismissal, at);
      else {
        await db.run(
          "UPDATE runs SET cancel_requested_at = $1, dismissal = $2 WHERE run_id = $3 AND cancel_requested_at IS NULL",
          [at, JSON.stringify(dismissal), id],
        );
      }
      return before.state;
    },
    async listLeased(expiredBefore) {
      const rows = await db.all<{ run_id: string }>(
        `SELECT run_id FROM runs WHERE lease_expires_at IS NOT NULL AND lease_expires_at < $1 ORDER BY run_id`,
        // After every instant.
        [expiredBefore ?? "~"],
      );
      return rows.map(({ run_id }) => run_id);
    },
    async recoverLost(ids, message, at) {
      const lost: Ending = {
        state: "ERROR",
        exitCode: null,
        statusMessage: { message, error_code: "infrastructure_timeout", retryable: false },
      };
      const runs = await db.all<LeasedRun>(
        `SELECT ${LEASED_COLUMNS} FROM runs
         WHERE run_id IN (${placeholders(ids.length)}) AND lease_expires_at IS NOT NULL ORDER BY run_id`,
        [...ids],
      );
      for (const run of runs) {
        if (run.state === "CLAIMED" && run.cancel_requested_at === null) await release(db, run.run_id, at);
        else await endTurn(db, run, lost, at);
      }
    },
  };
}

async function release(db: Database, id: string, at: string): Promise<void> {
  const set = "worker = NULL, lease_expires_at = NULL";
  await moveRuns(db, MOVES.release, { set, where: "run_id = $2", values: [id] }, at);
}

/** Ends a blocked run whose agent has ended. */
async function dismissResting(db: Database, id: string, dismissal: Dismissal, at: string): Promise<void> {
  await moveRuns(
    db,
    MOVES.dismiss,
    {
      set: "status_message = $2, cancel_requested_at = $1, finished_at = $1",
      where: "run_id = $3 AND lease_expires_at IS NULL",
      values: [JSON.stringify(dismissedMessage(dismissal)), id],
      told: eventOf(dismissal),
    },
    at,
  );
}

function eventOf({ by, reason }: Dismissal): EventDetails {
  return { by: by.displayName, ...(reason === undefined ? {} : { reason }) };
}

/**
 * Ends a turn in the way that its run stands; messages that came for the next one make the run wait again.
 * @returns the state of the run before it waits again
 */
async function endTurn(db: Database, run: LeasedRun, ending: Ending, at: string): Promise<Run["state"]> {
  const isCancelled = run.cancel_requested_at !== null;
  const move = endingMove(run.state, ending.state, isCancelled);
  const isOver = move !== MOVES.rest;
  const dismissal: Dismissal | null = run.dismissal === null ? null : JSON.parse(run.dismissal);
  const cancelled = dismissal ? dismissedMessage(dismissal) : null;
  // What a blocked run asks stays to be read.
  const message = isOver ? "status_message = $6," : "";
  await moveRuns(
    db,
    move,
    {
      set: `${ending.isUnstarted ? UNSTARTED : ""} worker = NULL, lease_expires_at = NULL, token_hash = NULL, takes_input = 0, ${message}
            exit_code = $2, worked_ms = COALESCE(worked_ms, 0) + $3, finished_at = $4`,
      where: "run_id = $5",
      values: [
        ending.exitCode,
        workedMs(run, at),
        isOver ? at : null,
        run.run_id,
        ...(isOver ? [statusText(isCancelled ? cancelled : ending.statusMessage)] : []),
      ],
      // That a run is blocked has been told when it was.
      told: isOver ? (dismissal ? eventOf(dismissal) : {}) : "nothing",
    },
    at,
  );
  if (isCancelled) {
    await dropWaiting(db, run);
    return move.to;
  }
  const isStarted = run.turn_started_at !== null && !ending.isUnstarted;
  await (isStarted ? keepUngiven(db, run) : takeBack(db, run));
  await continueWith(db, run, at);
  return move.to;
}

/** A run whose first program could not be started has not started. */
const UNSTARTED = "started_at = CASE WHEN started_at = turn_started_at THEN NULL ELSE started_at END,";

const statusText = (status: RunStatusMessage | null) => status && JSON.stringify(status);

function workedMs({ turn_started_at }: LeasedRun, at: string): number {
  return turn_started_at === null ? 0 : Math.max(0, Date.parse(at) - Date.parse(turn_started_at));
}

/** Whoever cancels a run cancels what was said to it as well: it stays with the turn that was cancelled. */
async function dropWaiting(db: Database, { run_id, turn }: LeasedRun): Promise<void> {
  await db.run("UPDATE run_followups SET turn = $1 WHERE run_id = $2 AND turn IS NULL", [turn, run_id]);
}

/** What a session was to be given and was not, because it ended, waits for the next turn with the rest. */
async function keepUngiven(db: Database, { run_id, turn }: LeasedRun): Promise<void> {
  await db.run("UPDATE run_followups SET turn = NULL WHERE run_id = $1 AND turn = $2 AND given_at IS NULL", [
    run_id,
    turn,
  ]);
}

/**
 * No agent had what was said to a turn whose program did not start. It stays with that turn until someone says more: a
 * turn that it opened by itself would fail in the same way, again and again.
 */
async function takeBack(db: Database, { run_id, turn }: LeasedRun): Promise<void> {
  await db.run("UPDATE run_followups SET given_at = NULL WHERE run_id = $1 AND turn = $2", [run_id, turn]);
}

async function continueWith(db: Database, { run_id }: LeasedRun, at: string): Promise<void> {
  const waiting = await db.first("SELECT 1 FROM run_followups WHERE run_id = $1 AND turn IS NULL LIMIT 1", [
    run_id,
  ]);
  if (waiting) await openNextTurn(db, run_id, at);
}

/** Lets a run wait for its next turn, which gets every message that waits. */
export async function openNextTurn(db: Database, runId: string, at: string): Promise<void> {
  // Whoever cancelled a run has withdrawn what it was not given.
  await db.run(
    `UPDATE run_followups SET turn = NULL WHERE run_id = $1 AND given_at IS NULL
       AND turn = (SELECT turn FROM runs WHERE run_id = $1 AND lease_expires_at IS NULL AND state <> 'CANCELLED')`,
    [runId],
  );
  await moveRuns(
    db,
    MOVES.continue,
    {
      set: `turn = turn + 1, turn_started_at = NULL, finished_at = NULL, exit_code = NULL, status_message = NULL,
            cancel_requested_at = NULL, dismissal = NULL`,
      where: "run_id = $2 AND lease_expires_at IS NULL",
      values: [runId],
    },
    at,
  );
  await db.run(
    `UPDATE run_followups SET turn = (SELECT turn FROM runs WHERE run_id = $1)
     WHERE run_id = $1 AND turn IS NULL`,
    [runId],
  );
}
