import { newUuid } from "../../id.ts";
import {
  approvesPlan,
  PLAN_CHOICES,
  PLAN_QUESTION,
  PLAN_TITLE,
  type PlanStore,
  planDecision,
} from "../../runs/rules/plan.ts";
import { MOVES } from "../../runs/rules/state.ts";
import type { Database } from "../sqlite/database.ts";
import { runArtifacts } from "./run-artifacts.ts";
import { addOwnMessage, insertSaid } from "./run-conversation.ts";
import { moveRuns } from "./run-moves.ts";

/** Plans that runs propose, and what persons decide about them. */
export function runPlans(db: Database): PlanStore {
  return {
    async proposePlan({ id, ticket }, { file, output, most }, at) {
      const run = await db.first<{ turn: number }>(
        `SELECT turn FROM runs WHERE run_id = $1 AND ticket = $2 AND state = 'INPROGRESS' AND lease_expires_at IS NOT NULL
           AND cancel_requested_at IS NULL AND waiting_for IS NULL`,
        [id, ticket],
      );
      if (!run) return "not asked";
      const text = file || (await reportedAnswer(db, id, run.turn)) || output;
      if (!text) return "no plan";
      const artifact_uid = newUuid();
      const data = { artifact_uid, title: PLAN_TITLE, content: text };
      const plan = { id: artifact_uid, turn: run.turn, type: "PLAN" as const, data, createdAt: at };
      // A run that has too many artifacts still asks: its plan is its answer as well.
      await runArtifacts(db).addArtifact(id, plan, most);
      const details = { choices: [...PLAN_CHOICES] };
      const said = { runId: id, turn: run.turn, kind: "question", text: PLAN_QUESTION, details } as const;
      const message_id = await insertSaid(db, said, at);
      const change = {
        set: "status_message = $2, away_at = COALESCE(away_at, $1), plan_state = 'proposed'",
        where: "run_id = $3",
        values: [JSON.stringify({ message: PLAN_QUESTION }), id],
      };
      const told = message_id === undefined ? {} : { message_id };
      await moveRuns(db, MOVES.block, { ...change, told }, at);
      return "proposed";
    },
  };
}

async function reportedAnswer(db: Database, runId: string, turn: number): Promise<string | undefined> {
  const answer = await db.first<{ text: string }>(
    `SELECT text FROM run_messages WHERE run_id = $1 AND turn = $2 AND kind = 'answer' ORDER BY message_id DESC LIMIT 1`,
    [runId, turn],
  );
  return answer?.text;
}

/**
 * Records what was answered about the plan of a run, and tells the agent, after the answer. Only a person approves: what
 * an agent, its key or a delivery says is an answer like any other.
 */
export async function decidePlan(
  db: Database,
  { runId, message, isOfPerson }: { runId: string; message: string; isOfPerson: boolean },
  at: string,
): Promise<void> {
  const isApproved = isOfPerson && approvesPlan(message);
  await db.run("UPDATE runs SET plan_state = $1 WHERE run_id = $2", [
    isApproved ? "approved" : "rejected",
    runId,
  ]);
  await addOwnMessage(db, runId, planDecision(isApproved), at);
}
