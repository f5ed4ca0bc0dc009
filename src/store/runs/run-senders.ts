import type { RunTurn } from "../../runs/rules/agent-report.ts";
import { MAX_SENT_IN_TURN, MAX_TURNS_BY_AGENTS, type MessageRefusal } from "../../runs/rules/follow-up.ts";
import type { Run } from "../../runs/run.ts";
import type { Database } from "../sqlite/database.ts";
import { MAY_ACT } from "./state-lists.ts";

/** A run whose agent sends a message. */
export interface Sender {
  run_id: string;
  turn: number;
}

/** The run whose agent sends a message; nothing when that turn is over, or its end was asked for. */
export function findSender(db: Database, { id, turn }: RunTurn): Promise<Sender | undefined> {
  return db.first<Sender>(`SELECT run_id, turn FROM runs WHERE run_id = $1 AND turn = $2 AND ${MAY_ACT}`, [
    id,
    turn,
  ]);
}

/** Why an agent's message is not taken: what a person asked or decided is for people, and loops of agents end. */
export async function refusalOf(
  db: Database,
  runId: string,
  state: Run["state"],
  sender: Sender | undefined,
): Promise<MessageRefusal | undefined> {
  if (!sender) return "ended";
  if (state === "CANCELLED") return "cancelled";
  if (state === "BLOCKED") return "asks_person";
  const sent = await db.first<{ messages: number }>(
    "SELECT COUNT(*) AS messages FROM run_followups WHERE from_run = $1 AND from_turn = $2",
    [sender.run_id, sender.turn],
  );
  if ((sent?.messages ?? 0) >= MAX_SENT_IN_TURN) return "sent_enough";
  const woken = await db.first<{ turns: number }>(
    `SELECT COUNT(DISTINCT COALESCE(turn, 0)) AS turns FROM run_followups
     WHERE run_id = $1 AND from_run IS NOT NULL AND outcome IN ('handoff_execution', 'queue_pending')`,
    [runId],
  );
  return (woken?.turns ?? 0) >= MAX_TURNS_BY_AGENTS ? "woken_enough" : undefined;
}
