import type { FollowUp, FollowUpResult } from "../runs/follow-up.ts";
import type { Run, RunStore } from "../runs/run.ts";
import type { Database } from "./database.ts";
import { findAnswer, saveAnswer } from "./once-answers.ts";

interface FollowUpRow {
  followup_id: string;
  run_id: string;
  message: string;
  outcome: FollowUpResult;
  creator: string;
  created_at: string;
}

/** Messages to runs, in the order in which they came. */
export function runFollowUps(db: Database): Pick<RunStore, "followUp" | "listFollowUps"> {
  return {
    async followUp(followUp, { results, mostWaiting }, once, at) {
      const before = once && (await findAnswer(db, once));
      if (before) return "differs" in before ? before : JSON.parse(before.answer);
      const run = await db.first<{ state: Run["state"] }>("SELECT state FROM runs WHERE run_id = $1", [
        followUp.runId,
      ]);
      if (!run) return undefined;
      const waiting = await db.first<{ characters: number }>(
        "SELECT COALESCE(SUM(LENGTH(message)), 0) AS characters FROM run_followups WHERE run_id = $1 AND turn IS NULL",
        [followUp.runId],
      );
      if ((waiting?.characters ?? 0) + followUp.message.length > mostWaiting) return { full: true };
      const accepted = { id: followUp.id, result: results[run.state] };
      await db.run(
        `INSERT INTO run_followups (followup_id, run_id, message, outcome, creator, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [
          accepted.id,
          followUp.runId,
          followUp.message,
          accepted.result,
          JSON.stringify(followUp.creator),
          at,
        ],
      );
      if (once) await saveAnswer(db, once, JSON.stringify(accepted), at);
      return accepted;
    },
    async listFollowUps(runId) {
      const rows = await db.all<FollowUpRow>(
        `SELECT followup_id, run_id, message, outcome, creator, created_at FROM run_followups
         WHERE run_id = $1 ORDER BY followup_id`,
        [runId],
      );
      return rows.map(toFollowUp);
    },
  };
}

function toFollowUp(row: FollowUpRow): FollowUp {
  return {
    id: row.followup_id,
    runId: row.run_id,
    message: row.message,
    creator: JSON.parse(row.creator),
    result: row.outcome,
    createdAt: row.created_at,
  };
}
