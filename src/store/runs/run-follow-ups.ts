import type { RunTurn } from "../../runs/rules/agent-report.ts";
import {
  type FollowUp,
  type FollowUpResult,
  followUpResult,
  MAX_SENT_IN_TURN,
  MAX_TURNS_BY_AGENTS,
  MAX_WAITING,
  type MessageRefusal,
  type NewFollowUp,
} from "../../runs/rules/follow-up.ts";
import { queueAt } from "../../runs/rules/share.ts";
import { MOVES } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { findAnswer, saveAnswer } from "./once-answers.ts";
import { isHeld, moveRuns, openNextTurn } from "./run-moves.ts";
import { decidePlan } from "./run-plans.ts";
import { endAbsence } from "./run-usage.ts";
import { interruptWaits } from "./run-waits.ts";
import { MAY_ACT } from "./state-lists.ts";

interface FollowUpRow {
  followup_id: string;
  run_id: string;
  message: string;
  outcome: FollowUpResult;
  creator: string;
  from_run: string | null;
  from_turn: number | null;
  created_at: string;
  turn: number | null;
  is_repeated: number;
  is_answer: number;
}

const COLUMNS =
  "followup_id, run_id, message, outcome, creator, from_run, from_turn, created_at, turn, is_repeated, is_answer";

/** A run as it stands when a message comes. */
interface FollowedRunRow {
  state: Run["state"];
  turn: number;
  takes_input: number;
  lease_expires_at: string | null;
  is_orphaned: number;
  waiting_for: string | null;
  plan_state: Run["planState"];
  created_at: string;
}

/** Messages to runs, in the order in which they came. */
export function runFollowUps(
  db: Database,
): Pick<RunStore, "followUp" | "listFollowUps" | "listUngiven" | "offer" | "confirm" | "give"> {
  const setUnconfirmed = (runId: string, id: string, isUnconfirmed: 0 | 1) =>
    db.run("UPDATE run_followups SET is_unconfirmed = $1 WHERE followup_id = $2 AND run_id = $3", [
      isUnconfirmed,
      id,
      runId,
    ]);
  return {
    async followUp(followUp, once, at) {
      const before = once && (await findAnswer(db, once));
      if (before) return "differs" in before ? before : JSON.parse(before.answer);
      const { id, runId, message, creator } = followUp;
      const run = await db.first<FollowedRunRow>(
        `SELECT state, turn, takes_input, lease_expires_at, waiting_for, plan_state, created_at,
           factory_uid IS NOT NULL AND factory_uid NOT IN (SELECT uid FROM factories) AS is_orphaned
         FROM runs WHERE run_id = $1`,
        [runId],
      );
      if (!run) return undefined;
      if (run.is_orphaned) return { orphaned: true };
      const sender = followUp.from === undefined ? undefined : await findSender(db, followUp.from);
      const refused = followUp.from === undefined ? undefined : await refusalOf(db, runId, run.state, sender);
      if (refused) return { refused };
      if ((await waitingCharacters(db, runId)) + message.length > MAX_WAITING) return { full: true };
      const result = followUpResult({
        state: run.state,
        takesInput: run.takes_input === 1,
        isLeased: run.lease_expires_at !== null,
      });
      const joins = result === "queued_prompt" || result === "live_session";
      await db.run(
        `INSERT INTO run_followups (followup_id, run_id, message, outcome, creator, created_at, turn, is_answer, from_run, from_turn)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          id,
          runId,
          message,
          result,
          JSON.stringify(creator),
          at,
          joins ? run.turn : null,
          run.state === "BLOCKED" ? 1 : 0,
          sender?.run_id ?? null,
          sender?.turn ?? null,
        ],
      );
      if (run.state === "BLOCKED" && run.plan_state === "proposed")
        await decidePlan(db, { runId, message, isOfPerson: isOfPerson(followUp) }, at);
      if (result === "handoff_execution") {
        if (run.waiting_for !== null)
          await interruptWaits(db, runId, run.state === "BLOCKED" ? "answer" : "message", at);
        await openNextTurn(db, runId, at);
      } else if (run.state === "BLOCKED") await answer(db, runId, at);
      if (run.state === "QUEUED" && followUp.from === undefined) await makeUrgent(db, runId, run.created_at);
      if (once) await saveAnswer(db, once, JSON.stringify({ id, result }), at);
      return { id, result };
    },
    async listFollowUps(runId) {
      const rows = await db.all<FollowUpRow>(
        `SELECT ${COLUMNS} FROM run_followups WHERE run_id = $1 ORDER BY followup_id`,
        [runId],
      );
      return rows.map(toFollowUp);
    },
    async listUngiven({ id, ticket }) {
      const rows = await db.all<FollowUpRow>(
        `SELECT ${COLUMNS} FROM run_followups
         WHERE run_id = $1 AND given_at IS NULL
           AND turn = (SELECT turn FROM runs WHERE run_id = $1 AND ticket = $2 AND lease_expires_at IS NOT NULL)
         ORDER BY followup_id`,
        [id, ticket],
      );
      return rows.map(toFollowUp);
    },
    async offer(turn, id) {
      if (await isHeld(db, turn)) await setUnconfirmed(turn.id, id, 1);
    },
    async confirm(turn, id) {
      if (await isHeld(db, turn)) await setUnconfirmed(turn.id, id, 0);
    },
    async give(turn, followUpIds, at) {
      if (!(await isHeld(db, turn))) return;
      const given = await db.run(
        `UPDATE run_followups SET given_at = $1
         WHERE run_id = $2 AND followup_id IN (${placeholders(followUpIds.length, 2)})`,
        [at, turn.id, ...followUpIds],
      );
      if (given > 0) await endAbsence(db, turn.id, at);
    },
  };
}

/** Whether a person says it: the key of an agent is none, nor is a delivery; a run can act as the person who has asked for it. */
function isOfPerson({ creator, from }: NewFollowUp): boolean {
  return creator.type === "user" && from === undefined;
}

async function makeUrgent(db: Database, runId: string, createdAt: string): Promise<void> {
  const urgentAt = queueAt("interactive", createdAt);
  await db.run("UPDATE runs SET queue_at = $1 WHERE run_id = $2 AND state = 'QUEUED'", [urgentAt, runId]);
}

async function waitingCharacters(db: Database, runId: string): Promise<number> {
  const waiting = await db.first<{ characters: number }>(
    `SELECT COALESCE(SUM(LENGTH(message)), 0) AS characters FROM run_followups
     WHERE run_id = $1 AND given_at IS NULL
       AND (turn IS NULL OR turn = (SELECT turn FROM runs WHERE run_id = $1))`,
    [runId],
  );
  return waiting?.characters ?? 0;
}

/** The question of a blocked run is answered, and no longer what there is to say of it. */
async function answer(db: Database, runId: string, at: string): Promise<void> {
  const set = "status_message = NULL";
  await endAbsence(db, runId, at);
  await moveRuns(db, MOVES.answer, { set, where: "run_id = $2", values: [runId] }, at);
}

function toFollowUp(row: FollowUpRow): FollowUp {
  return {
    id: row.followup_id,
    runId: row.run_id,
    message: row.message,
    creator: JSON.parse(row.creator),
    ...(row.from_run === null ? {} : { from: { id: row.from_run, turn: row.from_turn ?? 0 } }),
    result: row.outcome,
    turn: row.turn,
    createdAt: row.created_at,
    isRepeated: row.is_repeated === 1,
    isAnswer: row.is_answer === 1,
  };
}

/** A run whose agent sends a message. */
export interface Sender {
  run_id: string;
  turn: number;
}

/** The run whose agent sends a message; nothing when that turn is over, or its end was asked for. */
function findSender(db: Database, { id, turn }: RunTurn): Promise<Sender | undefined> {
  return db.first<Sender>(`SELECT run_id, turn FROM runs WHERE run_id = $1 AND turn = $2 AND ${MAY_ACT}`, [
    id,
    turn,
  ]);
}

/** Why an agent's message is not taken: what a person asked or decided is for people, and loops of agents end. */
async function refusalOf(
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
