import { invalidAnswer, type TurnAnswer } from "../../runs/rules/output-answer.ts";
import type { Ending, Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { Database } from "../sqlite/database.ts";
import { addOwnMessage } from "./run-conversation.ts";
import { recordRefusal } from "./run-events.ts";

/** The answers of runs that have a schema for them. */
export function runAnswers(db: Database): Pick<RunStore, "findTurnAnswer"> {
  return {
    async findTurnAnswer({ id, turn }): Promise<TurnAnswer> {
      const row = await db.first<TurnAnswer>(
        `SELECT (SELECT text FROM run_messages WHERE run_messages.run_id = runs.run_id AND run_messages.turn = $2 AND kind = 'answer'
                 ORDER BY message_id DESC LIMIT 1) AS text,
           CASE WHEN answer_json_turn = $2 THEN answer_json END AS json
         FROM runs WHERE run_id = $1`,
        [id, turn],
      );
      return row ?? { text: null, json: null };
    },
  };
}

/** Keeps an answer that fits the schema of its run. */
export async function keepAnswerJson(
  db: Database,
  { id, turn }: Pick<Run, "id" | "turn">,
  json: string,
): Promise<void> {
  await db.run("UPDATE runs SET answer_json = $1, answer_json_turn = $2 WHERE run_id = $3", [json, turn, id]);
}

/** A run whose turn ends, as far as its answer matters. */
interface AnsweringRun {
  run_id: string;
  state: Run["state"];
  turn: number;
  cancel_requested_at: string | null;
  waiting_for: string | null;
  repair_turn: number | null;
}

/** How a turn ends once its answer was looked at; or that its agent hears, once, what is wrong with the answer. */
export type JudgedEnding = Ending & { isRepaired?: true };

/**
 * Decides what the answer of a turn means for its run, in the transaction that ends the turn: no crash comes between the answer
 * and its repair.
 */
export async function judgeAnswer(
  db: Database,
  run: AnsweringRun,
  { checked, ...ending }: Ending,
  at: string,
): Promise<JudgedEnding> {
  const { run_id: id, turn } = run;
  if (!checked || ending.state !== "SUCCEEDED" || run.cancel_requested_at !== null) return ending;
  if (run.state === "BLOCKED" || run.waiting_for !== null) {
    // Its agent is not done: the turn after continues the repair.
    await carryRepair(db, run);
    return ending;
  }
  if ("json" in checked) {
    await keepAnswerJson(db, { id, turn }, checked.json);
    return ending;
  }
  const { problems, repair } = checked;
  await recordRefusal(db, id, "answer_refused", { turn, reason: problems.join("; ") }, at);
  if (repair === undefined || run.repair_turn === turn)
    return { ...ending, state: "FAILED", statusMessage: invalidAnswer(problems) };
  await addOwnMessage(db, id, repair, at);
  await db.run("UPDATE runs SET repair_turn = turn + 1 WHERE run_id = $1", [id]);
  return { ...ending, isRepaired: true };
}

/** A turn that corrects an answer, and is continued by the next one, leaves the correction to that. */
export async function carryRepair(db: Database, { run_id: id }: Pick<AnsweringRun, "run_id">): Promise<void> {
  await db.run("UPDATE runs SET repair_turn = turn + 1 WHERE run_id = $1 AND repair_turn = turn", [id]);
}
