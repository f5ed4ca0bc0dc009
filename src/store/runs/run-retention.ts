import { firstUuidOf } from "../../id.ts";
import { hasEnded, type RunState } from "../../runs/rules/state.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { recordChange } from "../changes/change-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { leaveUsage } from "./run-usage.ts";
import { ENDED } from "./state-lists.ts";

/** What belongs to a run by its id. */
const PARTS = [
  "run_attachments",
  "run_events",
  "run_followups",
  "run_messages",
  "run_artifacts",
  "run_usage",
  "run_network",
  "run_waits",
  "run_wait_targets",
  "run_report_counts",
  "run_starts",
  "run_masks",
  "run_deliveries",
  "notifications",
  "outbound_messages",
];

/** What keeps runs from piling up for ever. Ids rise with time, so what ended long ago is at the beginning of its index. */
export function runRetention(
  db: Database,
): Pick<RunStore, "listDisposable" | "keepOutputEnds" | "findOutputEnd" | "forgetRuns" | "forgetRun"> {
  return {
    async keepOutputEnds(seqs) {
      for (const [id, seq] of Object.entries(seqs)) {
        await db.run(
          "UPDATE runs SET output_seq = $1 WHERE run_id = $2 AND (output_seq IS NULL OR output_seq < $1)",
          [seq, id],
        );
      }
    },
    async findOutputEnd(id) {
      const run = await db.first<{ output_seq: number | null }>(
        "SELECT output_seq FROM runs WHERE run_id = $1",
        [id],
      );
      return run?.output_seq ?? 0;
    },
    async listDisposable(runIds, endedBefore) {
      if (runIds.length === 0) return [];
      const rows = await db.all<{ run_id: string }>(
        `SELECT run_id FROM runs WHERE run_id IN (${placeholders(runIds.length)})
         AND NOT (state IN (${ENDED}) AND finished_at < $${runIds.length + 1})`,
        [...runIds, endedBefore],
      );
      const kept = new Set(rows.map((row) => row.run_id));
      return runIds.filter((id) => !kept.has(id));
    },
    async forgetRuns(endedBefore, limit) {
      const rows = await db.all<{ run_id: string }>(
        `SELECT run_id FROM runs WHERE run_id < $1 AND state IN (${ENDED}) AND finished_at < $2 ORDER BY run_id LIMIT $3`,
        [firstUuidOf(Date.parse(endedBefore)), endedBefore, limit],
      );
      return remove(
        db,
        rows.map((row) => row.run_id),
      );
    },
    async forgetRun(id, at) {
      const run = await db.first<{
        state: RunState;
        lease_expires_at: string | null;
        factory_uid: string | null;
      }>("SELECT state, lease_expires_at, factory_uid FROM runs WHERE run_id = $1", [id]);
      if (!run) return undefined;
      if (!hasEnded(run.state) || run.lease_expires_at !== null) return { state: run.state, isGone: false };
      await remove(db, [id]);
      await recordChange(db, {
        kind: "run_deleted",
        subject: id,
        factoryUid: run.factory_uid,
        webhookUid: null,
        status: run.state,
        at,
      });
      return { state: run.state, isGone: true };
    },
  };
}

/** Removes runs with all that is theirs in this database. @returns how many */
async function remove(db: Database, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const listed = placeholders(ids.length);
  const numbers = `SELECT number FROM run_listing WHERE run_id IN (${listed})`;
  await db.run(`DELETE FROM run_tags WHERE number IN (${numbers})`, [...ids]);
  await db.run(`DELETE FROM run_search WHERE number IN (${numbers})`, [...ids]);
  await db.run(`DELETE FROM run_listing WHERE run_id IN (${listed})`, [...ids]);
  await db.run(
    `DELETE FROM family_notes
     WHERE family_id IN (SELECT COALESCE(family_id, run_id) FROM runs WHERE run_id IN (${listed}))
       AND NOT EXISTS (SELECT 1 FROM runs WHERE run_id = family_notes.family_id AND run_id NOT IN (${listed}))
       AND NOT EXISTS (SELECT 1 FROM runs WHERE family_id = family_notes.family_id AND run_id NOT IN (${listed}))`,
    [...ids],
  );
  await leaveUsage(db, ids);
  for (const table of PARTS) await db.run(`DELETE FROM ${table} WHERE run_id IN (${listed})`, [...ids]);
  return db.run(`DELETE FROM runs WHERE run_id IN (${listed})`, [...ids]);
}
