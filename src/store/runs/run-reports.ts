import {
  type BlockedRun,
  changedNote,
  type FamilyMember,
  type FamilyNote,
  familyOf,
  MAX_REPORTS,
  type Question,
  type QuestionDetails,
  type ReportKind,
  type RunTurn,
} from "../../runs/rules/agent-report.ts";
import type { Ending } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { keepAnswerJson } from "./run-answers.ts";
import { saveAnswer } from "./run-conversation.ts";
import { announce, CHANGED_COLUMNS, type ChangedRun } from "./run-events.ts";
import { AT_WORK } from "./state-lists.ts";

/**
 * Whether the agent of a run's turn has reported its answer itself, and was told nothing since. What its harness says at
 * last is not the answer then.
 */
export const HAS_REPORTED_ANSWER = `(answered_at >= turn_started_at AND answered_at >= COALESCE(
  (SELECT MAX(given_at) FROM run_followups WHERE run_followups.run_id = runs.run_id AND run_followups.turn = runs.turn), ''))`;

interface BlockedRow {
  run_id: string;
  factory_uid: string | null;
  title: string;
  status_message: string | null;
  updated_at: string;
  asked_at: string | null;
}

function toBlocked(row: BlockedRow): BlockedRun {
  const message = row.status_message === null ? null : JSON.parse(row.status_message).message;
  const since = row.asked_at ?? row.updated_at;
  return { id: row.run_id, factoryUid: row.factory_uid, title: row.title, since, message };
}

/** What agents report while they work; questions are run-moves.ts's, and artifacts run-artifacts.ts's. */
export function runReports(
  db: Database,
): Pick<
  RunStore,
  "reportAnswer" | "reportStatus" | "listQuestions" | "listBlocked" | "findNote" | "writeNote"
> {
  const findNote = async (run: FamilyMember) => {
    const row = await db.first<NoteRow>(
      `SELECT text, version, updated_at, run_id, agent FROM family_notes
       WHERE family_id = $1 AND factory_uid = $2`,
      [familyOf(run), run.factoryUid ?? ""],
    );
    return row && toNote(row);
  };

  return {
    async reportAnswer({ id, turn }, text, at, json) {
      if (!(await findAtWork(db, { id, turn }))) return "not running";
      if (!(await countReport(db, id, "answer"))) return "too many";
      if (!(await saveAnswer(db, id, turn, text, at))) return "full";
      await db.run("UPDATE runs SET answer = $1, answered_at = $2 WHERE run_id = $3", [text, at, id]);
      if (json !== undefined) await keepAnswerJson(db, { id, turn }, json);
      return "kept";
    },
    async reportStatus(turn, text, at) {
      const { id } = turn;
      const run = await findAtWork(db, turn);
      if (!run) return "not running";
      if (!(await countReport(db, id, "status"))) return "too many";
      await db.run("UPDATE runs SET status_line = $1, updated_at = $2 WHERE run_id = $3", [text, at, id]);
      await announce(db, run, at);
      return "kept";
    },
    async listQuestions(runIds) {
      if (runIds.length === 0) return {};
      const rows = await db.all<QuestionRow>(
        `SELECT run_id, text, details, created_at FROM run_messages
         WHERE (run_id, message_id) IN (
           SELECT run_id, MAX(message_id) FROM run_messages
           WHERE run_id IN (${placeholders(runIds.length)}) AND kind = 'question' GROUP BY run_id)`,
        [...runIds],
      );
      return Object.fromEntries(rows.map((row) => [row.run_id, toQuestion(row)]));
    },
    async listBlocked(within, limit) {
      if (within?.length === 0) return [];
      const ofFactories = within ? `AND factory_uid IN (${placeholders(within.length, 1)})` : "";
      const rows = await db.all<BlockedRow>(
        `SELECT run_id, factory_uid, title, status_message, updated_at,
           (SELECT MAX(created_at) FROM run_messages WHERE run_messages.run_id = runs.run_id AND kind = 'question') AS asked_at
         FROM runs WHERE state = 'BLOCKED' ${ofFactories} ORDER BY run_id DESC LIMIT $1`,
        [limit, ...(within ?? [])],
      );
      return rows.map(toBlocked);
    },
    findNote,
    async writeNote(run, change, at) {
      if (!(await findAtWork(db, run))) return "not running";
      const before = await findNote(run);
      const version = before?.version ?? 0;
      if (change.expected && !change.expected.includes(version)) return "changed";
      if (!(await countReport(db, run.id, "note"))) return "too many";
      const note: FamilyNote = {
        text: changedNote(before?.text ?? "", change),
        version: version + 1,
        updatedAt: at,
        runId: run.id,
        agent: change.agent,
      };
      await db.run(
        `INSERT INTO family_notes (family_id, factory_uid, text, version, updated_at, run_id, agent)
         VALUES ($1, $7, $2, $3, $4, $5, $6)
         ON CONFLICT (family_id, factory_uid)
         DO UPDATE SET text = $2, version = $3, updated_at = $4, run_id = $5, agent = $6`,
        [
          familyOf(run),
          note.text,
          note.version,
          note.updatedAt,
          note.runId,
          note.agent,
          run.factoryUid ?? "",
        ],
      );
      return note;
    },
  };
}

/** Keeps the answer that is known at the end of a turn. The last output of a program is none where its agent has reported one. */
export async function keepLastAnswer(
  db: Database,
  { run_id, turn }: { run_id: string; turn: number },
  { answer, isOutput }: Pick<Ending, "answer" | "isOutput">,
  at: string,
): Promise<void> {
  if (answer === undefined) return;
  const unlessReported = isOutput ? `AND NOT COALESCE(${HAS_REPORTED_ANSWER}, FALSE)` : "";
  const kept = await db.run(`UPDATE runs SET answer = $1 WHERE run_id = $2 ${unlessReported}`, [
    answer,
    run_id,
  ]);
  if (kept > 0) await saveAnswer(db, run_id, turn, answer, at);
}

/** Counts a report of a kind. @returns whether the run may still make it */
export async function countReport(db: Database, runId: string, kind: ReportKind): Promise<boolean> {
  const counted = await db.first(
    `INSERT INTO run_report_counts (run_id, kind, count) VALUES ($1, $2, 1)
     ON CONFLICT (run_id, kind) DO UPDATE SET count = run_report_counts.count + 1 WHERE run_report_counts.count < $3
     RETURNING count`,
    [runId, kind, MAX_REPORTS[kind]],
  );
  return counted !== undefined;
}

/** Whether the last question of a run offers the same answers as this one. */
export async function isLastQuestion(
  db: Database,
  runId: string,
  details: QuestionDetails,
): Promise<boolean> {
  const last = await db.first<Pick<QuestionRow, "details">>(
    `SELECT details FROM run_messages WHERE run_id = $1 AND kind = 'question' ORDER BY message_id DESC LIMIT 1`,
    [runId],
  );
  const same = Object.keys(details).length > 0 ? JSON.stringify(details) : null;
  return last !== undefined && last.details === same;
}

/** The run while the agent of this turn is at work: a request that was sent in an earlier one finds nothing. */
function findAtWork(db: Database, { id, turn }: RunTurn): Promise<ChangedRun | undefined> {
  return db.first<ChangedRun>(
    `SELECT ${CHANGED_COLUMNS} FROM runs WHERE run_id = $1 AND turn = $2 AND ${AT_WORK}`,
    [id, turn],
  );
}

interface NoteRow {
  text: string;
  version: number;
  updated_at: string;
  run_id: string;
  agent: string;
}

function toNote({ text, version, updated_at, run_id, agent }: NoteRow): FamilyNote {
  return { text, version, updatedAt: updated_at, runId: run_id, agent };
}

interface QuestionRow {
  run_id: string;
  text: string;
  details: string | null;
  created_at: string;
}

function toQuestion({ text, details, created_at }: QuestionRow): Question {
  const { choices = [], urgency = "normal" }: QuestionDetails = details === null ? {} : JSON.parse(details);
  return { text, choices, urgency, askedAt: created_at };
}
