import { newUuid } from "../../id.ts";
import { MILLRACE } from "../../runs/rules/conversation.ts";
import { queueAt } from "../../runs/rules/share.ts";
import { hasEnded, MOVES, type Move, type RunState } from "../../runs/rules/state.ts";
import type { FailedServer } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { Ticket } from "../../runs/ticket.ts";
import type { Database, SqlValue } from "../sqlite/database.ts";
import { noteBegun } from "./claim-runs.ts";
import { holdForKey, releaseNext } from "./key-holds.ts";
import { UNHELD } from "./lanes.ts";
import { insertSaid, saveAnswer } from "./run-conversation.ts";
import {
  announce,
  CHANGED_COLUMNS,
  type ChangedRun,
  type EventDetails,
  recordMoves,
  recordRefusal,
} from "./run-events.ts";
import { countReport, HAS_REPORTED_ANSWER, isLastQuestion } from "./run-reports.ts";
import { AT_WORK } from "./state-lists.ts";

/** What a move changes beside the state; `$1` is the time of the move, the values begin with `$2`. */
interface MoveChange {
  set?: string;
  where: string;
  values: readonly SqlValue[];
  /** What its event tells; nothing for a move that the timeline does not tell of again. */
  told?: EventDetails | "nothing";
  /** Whether a run that ends has its key until its caller lets the next one go. */
  keepsKey?: boolean;
}

/**
 * Makes a move with one UPDATE that asks for the state it starts from, so that of two that come at once one finds the
 * run moved; and tells of it.
 */
export async function moveRuns(
  db: Database,
  { from, to }: Move,
  { set, where, values, told = {}, keepsKey = false }: MoveChange,
  at: string,
): Promise<ChangedRun[]> {
  const moved = await db.all<ChangedRun>(
    `UPDATE runs SET state = '${to}', updated_at = $1 ${hasEnded(to) ? `, ${UNHELD}` : ""} ${set ? `, ${set}` : ""}
     WHERE ${where} AND state IN (${from.map((state) => `'${state}'`).join(", ")})
     RETURNING ${CHANGED_COLUMNS}`,
    [at, ...values],
  );
  if (told !== "nothing") await recordMoves(db, moved, at, told);
  else for (const run of moved) await announce(db, run, at);
  // The next run of a key may go once the one before has ended, in the same transaction: no crash comes between the two.
  if (hasEnded(to) && !keepsKey) {
    const keys = new Set(moved.flatMap(({ concurrency_key: key }) => key ?? []));
    for (const key of keys) await releaseNext(db, key, at);
  }
  return moved;
}

/** How runs move while they have not ended. */
export function runMoves(
  db: Database,
): Pick<RunStore, "renewLeases" | "start" | "keepReport" | "keepRest" | "block"> {
  return {
    renewLeases: ({ worker, expiresAt }) =>
      db.run("UPDATE runs SET lease_expires_at = $1 WHERE lease_expires_at IS NOT NULL AND worker = $2", [
        expiresAt,
        worker,
      ]),
    async start({ id, ticket, sessionId, tokenHash, takesInput, wasSetUp, setup, isolation }, at) {
      if (wasSetUp) {
        await db.run(
          `INSERT INTO run_events (event_uuid, run_id, event_type, occurred_at, payload)
           SELECT $1, run_id, 'worker_container_ready', $2, '{"turn":' || turn || CAST($5 AS TEXT) || '}' FROM runs
           WHERE run_id = $3 AND ticket = $4 AND state = 'CLAIMED' AND cancel_requested_at IS NULL`,
          [newUuid(), at, id, ticket, setup ? `,"setup":${JSON.stringify(setup)}` : ""],
        );
      }
      const [started] = await moveRuns(
        db,
        MOVES.start,
        {
          set: `session_id = COALESCE(session_id, $2), token_hash = $3, takes_input = $4, turn_started_at = $1, home = claimed_home,
                started_at = COALESCE(started_at, $1)`,
          where: "run_id = $5 AND ticket = $6 AND cancel_requested_at IS NULL",
          values: [sessionId, tokenHash, takesInput ? 1 : 0, id, ticket],
          ...(isolation ? { told: isolation } : {}),
        },
        at,
      );
      // It may be told twice, by a worker that has not heard the answer.
      if (!started) return (await isStarted(db, { id, ticket, tokenHash })) && "again";
      await noteBegun(db, { id, ticket });
      // The first program that starts reads what earlier turns, which had none, were to be given.
      await db.run(
        `UPDATE run_followups SET given_at = $1, is_unconfirmed = 0 WHERE run_id = $2 AND given_at IS NULL AND (turn = $3 OR turn IS NOT NULL
           AND (SELECT started_at = turn_started_at FROM runs WHERE run_id = $2))`,
        [at, id, started.turn],
      );
      // What came after the prompt was written, and before the session was open, is the first that the session is given.
      if (takesInput) {
        await db.run("UPDATE run_followups SET turn = $1 WHERE run_id = $2 AND turn IS NULL", [
          started.turn,
          id,
        ]);
      }
      return "first";
    },
    async keepReport({ id, ticket }, { session, answer, failedServers = [] }, at) {
      const run = await db.first<{ turn: number; has_reported: number }>(
        `UPDATE runs SET harness_session = COALESCE($1, harness_session),
           answer = CASE WHEN ${HAS_REPORTED_ANSWER} THEN answer ELSE COALESCE($2, answer) END
         WHERE run_id = $3 AND ticket = $4 RETURNING turn, COALESCE(${HAS_REPORTED_ANSWER}, FALSE) AS has_reported`,
        [session ?? null, answer ?? null, id, ticket],
      );
      if (run && !run.has_reported && answer !== undefined) await saveAnswer(db, id, run.turn, answer, at);
      if (run) for (const server of failedServers) await recordFailedServer(db, id, run.turn, server, at);
    },
    async keepRest({ id, ticket }, at) {
      await db.run(
        `UPDATE runs SET away_at = COALESCE(away_at, $1)
         WHERE run_id = $2 AND ticket = $3 AND lease_expires_at IS NOT NULL`,
        [at, id, ticket],
      );
    },
    async block({ id, turn }, message, at, details = {}) {
      const run = await db.first<{ state: RunState; status_message: string | null }>(
        `SELECT state, status_message FROM runs
         WHERE run_id = $1 AND turn = $2 AND ${AT_WORK}`,
        [id, turn],
      );
      if (!run) return "not running";
      const status = JSON.stringify({ message });
      // A client that asks twice, because it has lost the response, asks one question.
      const isAsked = run.state === "BLOCKED" && run.status_message === status;
      if (isAsked && (await isLastQuestion(db, id, details))) return "blocked";
      if (!(await countReport(db, id, "question"))) return "too many";
      const said = { runId: id, turn, kind: "question", text: message, details } as const;
      const message_id = await insertSaid(db, said, at);
      if (message_id === undefined) return "full";
      const change = {
        set: "status_message = $2, away_at = COALESCE(away_at, $1)",
        where: "run_id = $3",
        values: [status, id],
      };
      await moveRuns(db, MOVES.block, { ...change, told: { message_id } }, at);
      return "blocked";
    },
  };
}

/** Whether a turn is still of whoever got it with this ticket: another one may have the run since. */
export async function isHeld(db: Database, { id, ticket }: Ticket): Promise<boolean> {
  const sql = "SELECT 1 FROM runs WHERE run_id = $1 AND ticket = $2 AND lease_expires_at IS NOT NULL";
  return (await db.first(sql, [id, ticket])) !== undefined;
}

async function isStarted(
  db: Database,
  { id, ticket, tokenHash }: { id: string; ticket: number; tokenHash: string },
): Promise<boolean> {
  const run = await db.first(
    `SELECT 1 FROM runs WHERE run_id = $1 AND ticket = $2 AND token_hash = $3 AND lease_expires_at IS NOT NULL`,
    [id, ticket, tokenHash],
  );
  return run !== undefined;
}

/** Once in a turn: that a call is repeated, or that the program tells of it as well, is no news. */
async function recordFailedServer(
  db: Database,
  id: string,
  turn: number,
  { name, reason }: FailedServer,
  at: string,
): Promise<void> {
  const told = await db.all<{ payload: string }>(
    "SELECT payload FROM run_events WHERE run_id = $1 AND event_type = 'mcp_server_failed'",
    [id],
  );
  const isTold = told.some(({ payload }) => {
    const known = JSON.parse(payload) as { turn: number; name: string };
    return known.turn === turn && known.name === name;
  });
  if (!isTold) await recordRefusal(db, id, "mcp_server_failed", { turn, name, reason }, at);
}

/** By which instant a run has its next turn: one that was sent a message is urgent, unless that was another run. */
async function nextQueueAt(db: Database, runId: string): Promise<string | null> {
  const run = await db.first<{ created_at: string; config: string }>(
    "SELECT created_at, config FROM runs WHERE run_id = $1",
    [runId],
  );
  if (!run) return null;
  const sent = await db.all<{ creator: string }>(
    "SELECT creator FROM run_followups WHERE run_id = $1 AND turn IS NULL AND from_run IS NULL",
    [runId],
  );
  const isUrgent = sent.some(({ creator }) => JSON.parse(creator).uid !== MILLRACE.uid);
  return queueAt(isUrgent ? "interactive" : JSON.parse(run.config).priority, run.created_at);
}

/** Lets a run that no worker has wait for its next turn, which gets every message that waits. */
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
      set: `turn = turn + 1, queue_at = $3, turn_asked_at = $1, turn_started_at = NULL, finished_at = NULL, exit_code = NULL, status_message = NULL,
            cancel_requested_at = NULL, dismissal = NULL, waiting_for = NULL, status_line = NULL`,
      where: "run_id = $2 AND lease_expires_at IS NULL",
      values: [runId, await nextQueueAt(db, runId)],
    },
    at,
  );
  await db.run(
    `UPDATE run_followups SET turn = (SELECT turn FROM runs WHERE run_id = $1)
     WHERE run_id = $1 AND turn IS NULL`,
    [runId],
  );
  await holdForKey(db, runId, at);
}
