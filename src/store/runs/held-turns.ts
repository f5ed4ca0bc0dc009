import { holderParts, holdersOf, REMOTE_HOLDERS } from "../../runs/rules/remote-worker.ts";
import type { RunStore } from "../../runs/run.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";
import { LEASED_RUNS } from "./state-lists.ts";

/** The turns that workers elsewhere have. */
export function heldTurns(
  db: Database,
): Pick<RunStore, "renewHeld" | "findHeld" | "listHeldBy" | "listRemote" | "listNews"> {
  return {
    async renewHeld({ worker, expiresAt }, turns, at) {
      // What was over for an instant may have been given to somebody else: it is not taken back.
      const rows = await db.all<{ run_id: string; ticket: number }>(
        `SELECT run_id, ticket FROM ${LEASED_RUNS} WHERE worker = $1 AND lease_expires_at >= $2 ORDER BY run_id`,
        [worker, at],
      );
      // A worker may name any number of turns: only those that it has cost anything.
      const named = new Map(turns.map(({ id, ticket }) => [id, ticket]));
      const held = rows.filter(({ run_id, ticket }) => named.get(run_id) === ticket);
      for (const { run_id } of held)
        await db.run("UPDATE runs SET lease_expires_at = $1 WHERE run_id = $2", [expiresAt, run_id]);
      return held.map(({ run_id }) => run_id);
    },
    async listNews(runIds) {
      if (runIds.length === 0) return [];
      const rows = await db.all<{ run_id: string; is_cancelled: number; last_message: string | null }>(
        `SELECT run_id, cancel_requested_at IS NOT NULL AS is_cancelled,
           (SELECT MAX(followup_id) FROM run_followups f WHERE f.run_id = runs.run_id) AS last_message
         FROM runs WHERE run_id IN (${placeholders(runIds.length)})`,
        runIds,
      );
      return rows.map((row) => ({
        id: row.run_id,
        isCancelled: row.is_cancelled === 1,
        lastMessage: row.last_message ?? "",
      }));
    },
    async listHeldBy(workerId, at) {
      const rows = await db.all<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM ${LEASED_RUNS} WHERE lease_expires_at >= $1 AND worker >= $2 AND worker < $3 ORDER BY run_id`,
        [at, ...holdersOf(workerId)],
      );
      return rows.map((row) => ({ run: toRun(row), ticket: row.ticket }));
    },
    async listRemote(at) {
      const rows = await db.all<{ run_id: string; title: string; worker: string }>(
        `SELECT run_id, title, worker FROM ${LEASED_RUNS}
         WHERE lease_expires_at >= $1 AND worker >= $2 AND worker < $3 ORDER BY run_id`,
        [at, ...REMOTE_HOLDERS],
      );
      return rows.map(({ run_id: id, title, worker }) => ({ id, title, ...holderParts(worker) }));
    },
    async findHeld({ id, ticket }, worker, at) {
      const row = await db.first<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = $1 AND ticket = $2 AND worker = $3 AND lease_expires_at >= $4`,
        [id, ticket, worker, at],
      );
      return row && toRun(row);
    },
  };
}
