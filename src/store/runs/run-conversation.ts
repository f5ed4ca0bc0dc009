import { newUuid } from "../../id.ts";
import { MAX_SAID, reportText, type StoredMessage } from "../../runs/rules/conversation.ts";
import type { RunStore } from "../../runs/run.ts";
import type { Database } from "../sqlite/database.ts";

interface MessageRow {
  id: string;
  kind: StoredMessage["kind"];
  turn: number | null;
  at: string;
  creator: string | null;
  text: string;
  given_at: string | null;
}

/** Of a page, in characters; the message that goes beyond it begins the next page. */
const MAX_PAGE = 8 * 1024 * 1024;

/** What was said to an agent, what it said, and what it has reported. Their ids rise with time, whatever they are. */
const MESSAGES = `
  SELECT followup_id AS id, CASE WHEN is_answer = 1 THEN 'answer' ELSE 'message' END AS kind, turn, created_at AS at,
    creator, message AS text, given_at
  FROM run_followups WHERE run_id = $1 AND followup_id > $2
  UNION ALL
  SELECT message_id, kind, turn, created_at, NULL, text, created_at
  FROM run_messages WHERE run_id = $1 AND message_id > $2
  UNION ALL
  SELECT artifact_uid, 'report', turn, created_at, NULL, data, created_at
  FROM run_artifacts WHERE run_id = $1 AND artifact_uid > $2 AND artifact_type <> 'FILE'`;

/** Reads conversations; the messages to an agent are written by run-follow-ups.ts, its reports by run-artifacts.ts. */
export function runConversation(db: Database): Pick<RunStore, "listMessages" | "listMessageTurns"> {
  return {
    async listMessages(runId, { after, limit }) {
      const rows = await db.all<MessageRow & { total: number }>(
        `SELECT id, kind, turn, at, creator, text, given_at, total FROM (
           SELECT messages.*, SUM(LENGTH(text)) OVER (ORDER BY id) AS total FROM (${MESSAGES}) AS messages
         ) AS summed WHERE total - LENGTH(text) <= $4 ORDER BY id LIMIT $3`,
        [runId, after ?? "", limit, MAX_PAGE],
      );
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

/** Writes down what an agent says. @returns the id of the message; nothing when the run has said too much already */
export async function insertSaid(
  db: Database,
  message: { runId: string; turn: number; kind: "question" | "answer"; text: string },
  at: string,
): Promise<string | undefined> {
  const { runId, turn, kind, text } = message;
  const said = await db.first<{ characters: number }>(
    "SELECT COALESCE(SUM(LENGTH(text)), 0) AS characters FROM run_messages WHERE run_id = $1",
    [runId],
  );
  if ((said?.characters ?? 0) + text.length > MAX_SAID) return undefined;
  const id = newUuid();
  await db.run(
    "INSERT INTO run_messages (run_id, message_id, turn, kind, text, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
    [runId, id, turn, kind, text, at],
  );
  return id;
}

/**
 * Writes down what an agent says at last in a turn, in the place of what it said at last before, unless it was told
 * something since: then that was the answer to what came before.
 */
export async function saveAnswer(
  db: Database,
  runId: string,
  turn: number,
  text: string,
  at: string,
): Promise<void> {
  await db.run(
    `DELETE FROM run_messages WHERE run_id = $1 AND turn = $2 AND kind = 'answer' AND created_at >= COALESCE(
       (SELECT MAX(given_at) FROM run_followups WHERE run_id = $1 AND turn = $2), '')`,
    [runId, turn],
  );
  if (text !== "") await insertSaid(db, { runId, turn, kind: "answer", text }, at);
}

function toMessage(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    kind: row.kind,
    turn: row.turn,
    at: row.at,
    creator: row.creator === null ? null : JSON.parse(row.creator),
    text: row.kind === "report" ? reportText(JSON.parse(row.text)) : row.text,
    isGiven: row.given_at !== null,
  };
}
