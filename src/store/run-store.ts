import type { RunState } from "../runs/rules/state.ts";
import type { RunStore } from "../runs/run-store.ts";
import { runDeliveries } from "./run-keys/run-deliveries.ts";
import { runWindows } from "./run-keys/run-windows.ts";
import { listRuns } from "./run-list/run-list.ts";
import { findListingBacklog, findListingDue, updateListing } from "./run-list/update-listing.ts";
import { claimRuns, heldTurns } from "./runs/claim-runs.ts";
import { insertRun } from "./runs/insert-run.ts";
import { findAnswer, keepAnswer, saveAnswer } from "./runs/once-answers.ts";
import { findQueuePlace } from "./runs/queue-place.ts";
import { runAnswers } from "./runs/run-answers.ts";
import { runArtifacts, runFiles } from "./runs/run-artifacts.ts";
import { runCancellations } from "./runs/run-cancellations.ts";
import { runConversation } from "./runs/run-conversation.ts";
import { runEndings } from "./runs/run-endings.ts";
import { listEvents, runAudiences } from "./runs/run-events.ts";
import { runFamilies } from "./runs/run-families.ts";
import { runFollowUps } from "./runs/run-follow-ups.ts";
import { runMoves } from "./runs/run-moves.ts";
import { runNetwork } from "./runs/run-network.ts";
import { runPlacements } from "./runs/run-placements.ts";
import { runPlans } from "./runs/run-plans.ts";
import { runReports } from "./runs/run-reports.ts";
import { runRetention } from "./runs/run-retention.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./runs/run-row.ts";
import { runUsage } from "./runs/run-usage.ts";
import { runWaits } from "./runs/run-waits.ts";
import { runBudgets } from "./runs/spend.ts";
import { factoryHours } from "./runs/started-runs.ts";
import { type Database, placeholders } from "./sqlite/database.ts";

export function runStore(db: Database): RunStore {
  const find = async (id: string) => {
    const row = await db.first<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = $1`, [id]);
    return row && toRun(row);
  };

  const cancellations = runCancellations(db);

  return {
    async create(run, at) {
      await insertRun(db, run, null, at);
      const created = await find(run.id);
      if (!created) throw new Error("the run that was just created was not found");
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
    keepAnswer: (once, answer, at) => keepAnswer(db, once, answer, at),
    forgetAnswers: (before, limit) =>
      db.run(
        `DELETE FROM idempotent_answers WHERE (principal_uid, key) IN (
           SELECT principal_uid, key FROM idempotent_answers WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
        [before, limit],
      ),
    find,
    async findBySession(sessionId) {
      const row = await db.first<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE session_id = $1`, [
        sessionId,
      ]);
      return row && toRun(row);
    },
    list: (query) => listRuns(db, query),
    updateListing: (limit) => updateListing(db, limit),
    findListingBacklog: () => findListingBacklog(db),
    findListingDue: () => findListingDue(db),
    listEvents: (runId, page) => listEvents(db, runId, page),
    async findByToken(tokenHash) {
      const row = await db.first<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE token_hash = $1`, [
        tokenHash,
      ]);
      return row && toRun(row);
    },
    async findByEndedToken(tokenHash) {
      const row = await db.first<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE ended_token_hash = $1`, [
        tokenHash,
      ]);
      return row && toRun(row);
    },
    async listStates(ids) {
      if (ids.length === 0) return {};
      const rows = await db.all<{ run_id: string; state: RunState }>(
        `SELECT run_id, state FROM runs WHERE run_id IN (${placeholders(ids.length)})`,
        ids,
      );
      return Object.fromEntries(rows.map(({ run_id, state }) => [run_id, state]));
    },
    async findCount(state, after, limit) {
      const row = await db.first<{ runs: number; last: string | null }>(
        `SELECT COUNT(*) AS runs, MAX(run_id) AS last
         FROM (SELECT run_id FROM runs WHERE state = $1 AND run_id > $2 ORDER BY run_id LIMIT $3) AS counted`,
        [state, after, limit],
      );
      return row ?? { runs: 0, last: null };
    },
    async listIdsByDelivery(deliveryIds) {
      if (deliveryIds.length === 0) return {};
      const rows = await db.all<{ delivery_id: string; run_id: string }>(
        `SELECT delivery_id, run_id FROM runs WHERE delivery_id IN (${placeholders(deliveryIds.length)})
         UNION SELECT delivery_id, run_id FROM run_deliveries WHERE delivery_id IN (${placeholders(deliveryIds.length)})
         ORDER BY run_id`,
        deliveryIds,
      );
      const ids: Record<string, string[]> = Object.fromEntries(deliveryIds.map((id) => [id, []]));
      for (const row of rows) ids[row.delivery_id]?.push(row.run_id);
      return ids;
    },
    ...claimRuns(db),
    ...factoryHours(db),
    findQueuePlace: (id, caps, at, within = null) => findQueuePlace(db, id, caps, at, within),
    ...runMoves(db),
    ...runEndings(db),
    ...heldTurns(db),
    ...cancellations,
    ...runFamilies(db, cancellations),
    ...runArtifacts(db),
    ...runFollowUps(db),
    ...runFiles(db),
    ...runRetention(db),
    ...runUsage(db),
    ...runNetwork(db),
    ...runBudgets(db),
    ...runConversation(db),
    ...runWaits(db),
    ...runPlans(db),
    ...runPlacements(db),
    ...runReports(db),
    ...runAnswers(db),
    ...runAudiences(db),
    ...runWindows(db),
    ...runDeliveries(db),
  };
}
