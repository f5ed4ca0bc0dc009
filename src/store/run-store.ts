import type { Claim, Run, RunStore } from "../runs/run.ts";
import { type Database, placeholders } from "./database.ts";
import { insertRun } from "./insert-run.ts";
import { findAnswer, saveAnswer } from "./once-answers.ts";
import { CHANGED_COLUMNS, type ChangedRun, listEvents, recordMoves } from "./run-events.ts";
import { runFiles } from "./run-files.ts";
import { runFollowUps } from "./run-follow-ups.ts";
import { listRuns } from "./run-list.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";

export function runStore(db: Database): RunStore {
  const find = async (id: string) => {
    const row = await db.first<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = $1`, [id]);
    return row && toRun(row);
  };

  return {
    async create(run, at) {
      await insertRun(db, run, null, at);
      const created = await find(run.id);
      if (!created) throw new Error("the run that was just made is not there");
      return created;
    },
    async createOnce(run, once, answer, at) {
      const before = await findAnswer(db, once);
      if (before) return before;
      await insertRun(db, run, null, at);
      await saveAnswer(db, once, answer, at);
      return { answer, isNew: true };
    },
    findAnswer: (once) => findAnswer(db, once),
    forgetAnswers: (before, limit) =>
      db.run(
        `DELETE FROM idempotent_answers WHERE (principal_uid, key) IN (
           SELECT principal_uid, key FROM idempotent_answers WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
        [before, limit],
      ),
    find,
    list: (query) => listRuns(db, query),
    listEvents: (runId, page) => listEvents(db, runId, page),
    async findByToken(tokenHash) {
      const row = await db.first<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE state IN ('CLAIMED', 'INPROGRESS') AND token_hash = $1`,
        [tokenHash],
      );
      return row && toRun(row);
    },
    async listCountsByState() {
      const rows = await db.all<{ state: Run["state"]; runs: number }>(
        "SELECT state, COUNT(*) AS runs FROM runs GROUP BY state",
      );
      return Object.fromEntries(rows.map(({ state, runs }) => [state, runs]));
    },
    async listIdsByDelivery(deliveryIds) {
      if (deliveryIds.length === 0) return {};
      const rows = await db.all<{ delivery_id: string; run_id: string }>(
        `SELECT delivery_id, run_id FROM runs
         WHERE delivery_id IN (${placeholders(deliveryIds.length)}) ORDER BY run_id`,
        deliveryIds,
      );
      const ids: Record<string, string[]> = Object.fromEntries(deliveryIds.map((id) => [id, []]));
      for (const row of rows) ids[row.delivery_id]?.push(row.run_id);
      return ids;
    },
    ...runMoves(db),
    ...runFollowUps(db),
    ...runFiles(db),
  };
}

/**
 * How runs move between states. Each move is one UPDATE that asks for the state it starts from and, where a worker acts,
 * for the ticket of its claim, so that of two that come at once one finds the run moved.
 */
function runMoves(
  db: Database,
): Pick<RunStore, "claim" | "start" | "finish" | "cancel" | "listStarted" | "recoverLost"> {
  return {
    async claim(limit, at) {
      const rows = await db.all<RunRow & ChangedRun>(
        `UPDATE runs SET state = 'CLAIMED', ticket = ticket + 1, updated_at = $1
         WHERE run_id IN (SELECT run_id FROM runs WHERE state = 'QUEUED' ORDER BY run_id LIMIT $2)
         RETURNING ${RUN_COLUMNS}, creator_uid`,
        [at, limit],
      );
      await recordMoves(db, rows, at);
      const claims = rows.map((row): Claim => ({ run: toRun(row), ticket: row.ticket }));
      return claims.sort((a, b) => (a.run.id < b.run.id ? -1 : 1));
    },
    async start({ id, ticket, sessionId, tokenHash, isolation }, at) {
      const moved = await db.all<ChangedRun>(
        `UPDATE runs SET state = 'INPROGRESS', session_id = $1, token_hash = $2, started_at = $3, updated_at = $3
         WHERE run_id = $4 AND state = 'CLAIMED' AND ticket = $5 AND cancel_requested_at IS NULL
         RETURNING ${CHANGED_COLUMNS}`,
        [sessionId, tokenHash, at, id, ticket],
      );
      await recordMoves(db, moved, at, isolation);
      return moved.length > 0;
    },
    async finish({ id, ticket }, { state, exitCode, statusMessage }, at) {
      // Whoever asked for the end of a run was told that it comes: however the agent ended, the run was cancelled.
      const moved = await db.all<ChangedRun>(
        `UPDATE runs
         SET state = CASE WHEN cancel_requested_at IS NULL THEN $1 ELSE 'CANCELLED' END, exit_code = $2,
             status_message = CASE WHEN cancel_requested_at IS NULL THEN $3 END, finished_at = $4, updated_at = $4,
             token_hash = NULL
         WHERE run_id = $5 AND state IN ('CLAIMED', 'INPROGRESS') AND ticket = $6
         RETURNING ${CHANGED_COLUMNS}`,
        [state, exitCode, statusMessage && JSON.stringify(statusMessage), at, id, ticket],
      );
      await recordMoves(db, moved, at);
      return moved.length > 0;
    },
    async cancel(id, at) {
      const before = await db.first<{ state: Run["state"] }>("SELECT state FROM runs WHERE run_id = $1", [
        id,
      ]);
      if (before?.state === "QUEUED") {
        const moved = await db.all<ChangedRun>(
          `UPDATE runs SET state = 'CANCELLED', cancel_requested_at = $1, finished_at = $1, updated_at = $1
           WHERE run_id = $2 RETURNING ${CHANGED_COLUMNS}`,
          [at, id],
        );
        await recordMoves(db, moved, at);
      } else {
        await db.run(
          `UPDATE runs SET cancel_requested_at = $1
           WHERE run_id = $2 AND state IN ('CLAIMED', 'INPROGRESS') AND cancel_requested_at IS NULL`,
          [at, id],
        );
      }
      return before?.state;
    },
    async listStarted() {
      const rows = await db.all<{ run_id: string }>("SELECT run_id FROM runs WHERE state = 'INPROGRESS'");
      return rows.map(({ run_id }) => run_id);
    },
    async recoverLost(message, at) {
      const waiting = await db.all<ChangedRun>(
        `UPDATE runs
         SET state = CASE WHEN cancel_requested_at IS NULL THEN 'QUEUED' ELSE 'CANCELLED' END,
             finished_at = CASE WHEN cancel_requested_at IS NULL THEN NULL ELSE $1 END, updated_at = $1
         WHERE state = 'CLAIMED' RETURNING ${CHANGED_COLUMNS}`,
        [at],
      );
      const statusMessage = { message, error_code: "infrastructure_timeout", retryable: false };
      const lost = await db.all<ChangedRun>(
        `UPDATE runs
         SET state = CASE WHEN cancel_requested_at IS NULL THEN 'ERROR' ELSE 'CANCELLED' END,
             status_message = CASE WHEN cancel_requested_at IS NULL THEN $1 END, finished_at = $2, updated_at = $2,
             token_hash = NULL
         WHERE state = 'INPROGRESS' RETURNING ${CHANGED_COLUMNS}`,
        [JSON.stringify(statusMessage), at],
      );
      await recordMoves(db, [...waiting, ...lost], at);
      return lost.map(({ run_id }) => run_id);
    },
  };
}
