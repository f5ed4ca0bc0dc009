import { newUuid, newUuidAfter } from "../../id.ts";
import type { QuestionDetails } from "../../runs/rules/agent-report.ts";
import { MAX_SAID, MILLRACE, reportText, type StoredMessage } from "../../runs/rules/conversation.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { Database } from "../sqlite/database.ts";

/** A message as the database names it. */
export interface MessageRow {
  id: string;
  kind: StoredMessage["kind"];
  turn: number | null;
  at: string;
  creator: string | null;
  from_run: string | null;
  text: string;
  details: string | null;
  given_at: string | null;
  is_repeated: number;
}

/** Of a page, in characters; the message that goes beyond it begins the next page. */
export const MAX_PAGE = 8 * 1024 * 1024;

/**
 * What was said to an agent, what it said, and what it has reported. Their ids rise with time, whatever they are.
 * @param runs which runs' messages; `$2` is the id after which they come
 */
export const messagesOf = (runs: string) => `
  SELECT run_id, followup_id AS id, CASE WHEN is_answer = 1 THEN 'answer' ELSE 'message' END AS kind, turn,
    created_at AS at, creator, from_run, message AS text, NULL AS details, given_at, is_repeated
  FROM run_followups WHERE run_id ${runs} AND followup_id > $2
  UNION ALL
  SELECT run_id, message_id, kind, turn, created_at, NULL, NULL, text, details, created_at, 0
  FROM run_messages WHERE run_id ${runs} AND message_id > $2
  UNION ALL
  SELECT run_id, artifact_uid, 'report', turn, created_at, NULL, NULL, data, NULL, created_at, 0
  FROM run_artifacts WHERE run_id ${runs} AND artifact_uid > $2 AND artifact_type <> 'FILE'`;

const MESSAGES = messagesOf("= $1");

/**
 * A page of messages with the sum of their texts up to each. Which messages a page has is known by their ids, so that the
 * texts of all others are not read. `$3` is how many it has at most, and `$4` how long their texts are.
 */
export const pageOfMessages = (messages: string) => `
  SELECT * FROM (
    SELECT messages.*, SUM(LENGTH(text)) OVER (ORDER BY id) AS total FROM (${messages}) AS messages
    WHERE id <= (SELECT MAX(id) FROM (SELECT id FROM (${messages}) AS listed ORDER BY id LIMIT $3) AS page)
  ) AS summed WHERE total - LENGTH(text) <= $4 ORDER BY id`;

/** Reads conversations; the messages to an agent are written by run-follow-ups.ts, its reports by run-artifacts.ts. */
export function runConversation(db: Database): Pick<RunStore, "listMessages" | "listMessageTurns"> {
  return {
    async listMessages(runId, { after, limit }) {
      const rows = await db.all<MessageRow & { total: number }>(pageOfMessages(MESSAGES), [
        runId,
        after ?? "",
        limit,
        MAX_PAGE,
      ]);
      return {
        messages: rows.map(toMessage),
        isCut: rows.length > 1 && (rows.at(-1)?.total ?? 0) > MAX_PAGE,
      };
    },
    listMessageTurns: (runId) =>
      db.all(
        `SELECT id, kind, turn, CASE WHEN creator IS NULL THEN 'agent' ELSE 'user' END AS role
         FROM (${MESSAGES}) AS messages WHERE turn IS NOT NULL ORDER BY id`,
        [runId, ""],
      ),
  };
}

/** What an agent says. */
interface SaidMessage {
  runId: string;
  turn: number;
  kind: "question" | "answer";
  text: string;
  details?: QuestionDetails;
}

/** Writes down what an agent says. @returns the id of the message; nothing when the run has said too much already */
export async function insertSaid(db: Database, said: SaidMessage, at: string): Promise<string | undefined> {
  const before = await lengthOf(db, "run_id = $1", [said.runId]);
  return before + said.text.length > MAX_SAID ? undefined : insertMessage(db, said, at);
}

/** The answers of a turn since the agent was told something last. */
const LAST_ANSWERS = `run_id = $1 AND turn = $2 AND kind = 'answer' AND created_at >= COALESCE(
  (SELECT MAX(given_at) FROM run_followups WHERE run_id = $1 AND turn = $2), '')`;

/**
 * Writes down what an agent says at last in a turn, in the place of what it said at last before, unless it was told
 * something since: then that was the answer to what came before.
 *
 * @returns whether there was room for it; if not, what it said before stays
 */
export async function saveAnswer(
  db: Database,
  runId: string,
  turn: number,
  text: string,
  at: string,
): Promise<boolean> {
  const others = await lengthOf(db, `run_id = $1 AND NOT (${LAST_ANSWERS})`, [runId, turn]);
  if (text !== "" && others + text.length > MAX_SAID) return false;
  await db.run(`DELETE FROM run_messages WHERE ${LAST_ANSWERS}`, [runId, turn]);
  if (text !== "") await insertMessage(db, { runId, turn, kind: "answer", text }, at);
  return true;
}

/** The length of messages that an agent has said, in characters. */
async function lengthOf(db: Database, where: string, values: (string | number)[]): Promise<number> {
  const row = await db.first<{ characters: number }>(
    `SELECT COALESCE(SUM(LENGTH(text)), 0) AS characters FROM run_messages WHERE ${where}`,
    values,
  );
  return row?.characters ?? 0;
}

async function insertMessage(
  db: Database,
  { runId, turn, kind, text, details = {} }: SaidMessage,
  at: string,
): Promise<string> {
  const id = newUuid();
  await db.run(
    `INSERT INTO run_messages (run_id, message_id, turn, kind, text, details, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [runId, id, turn, kind, text, Object.keys(details).length > 0 ? JSON.stringify(details) : null, at],
  );
  return id;
}

export function toMessage(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    kind: row.kind,
    turn: row.turn,
    at: row.at,
    creator: row.creator === null ? null : JSON.parse(row.creator),
    fromRun: row.from_run,
    text: row.kind === "report" ? reportText(JSON.parse(row.text)) : row.text,
    ...(row.details === null ? {} : { details: JSON.parse(row.details) }),
    isGiven: row.given_at !== null,
    isRepeated: row.is_repeated === 1,
  };
}

/** Adds a message of millrace itself to what a run reads in its next turn. It comes after every message that the run has. */
export async function addOwnMessage(db: Database, runId: string, text: string, at: string): Promise<void> {
  await db.run(
    `INSERT INTO run_followups (followup_id, run_id, message, outcome, creator, created_at, turn, is_answer)
     VALUES ($1, $2, $3, 'handoff_execution', $4, $5, NULL, 0)`,
    [await newMessageId(db, runId), runId, text, JSON.stringify(MILLRACE), at],
  );
}

/**
 * The id of a message that comes after every one that a run has: the id of one that was made by another thread in the same
 * millisecond, or before the clock was set back, may be greater than the next id of this thread.
 */
export async function newMessageId(db: Database, runId: string): Promise<string> {
  const last = await db.first<{ id: string | null }>(
    "SELECT MAX(followup_id) AS id FROM run_followups WHERE run_id = $1",
    [runId],
  );
  return newUuidAfter(last?.id);
}
