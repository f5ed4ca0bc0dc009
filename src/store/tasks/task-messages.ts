import type { TaskMessages } from "../../tasks/task.ts";
import {
  MAX_PAGE,
  type MessageRow,
  messagesOf,
  pageOfMessages,
  toMessage,
} from "../runs/run-conversation.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "../runs/run-row.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

interface TaskMessageRow extends Omit<MessageRow, "kind"> {
  run_id: string;
  kind: MessageRow["kind"] | "prompt";
  total: number;
}

/** The prompt of a run goes by the id of the run, which is below those of its other messages. */
const MESSAGES = `
  SELECT run_id, run_id AS id, 'prompt' AS kind, 1 AS turn, created_at AS at, creator, NULL AS from_run,
    prompt AS text, NULL AS details, NULL AS given_at, 0 AS is_repeated
  FROM runs WHERE task_uid = $1 AND run_id > $2
  UNION ALL ${messagesOf("IN (SELECT run_id FROM runs WHERE task_uid = $1)")}`;

/** What was said in the runs of a task, with the runs. The texts of a page are bounded as those of one run's page are. */
export async function listTaskMessages(
  db: Database,
  uid: string,
  { after, limit }: { after?: string; limit: number },
): Promise<TaskMessages> {
  const rows = await db.all<TaskMessageRow>(pageOfMessages(MESSAGES), [uid, after ?? "", limit, MAX_PAGE]);
  const ids = [...new Set(rows.map(({ run_id }) => run_id))];
  const runs = await db.all<RunRow>(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id IN (${placeholders(ids.length)})`,
    ids,
  );
  const runOf = new Map(runs.map((row) => [row.run_id, toRun(row)]));
  const messages = rows.flatMap(({ kind, ...row }) => {
    const run = runOf.get(row.run_id);
    if (!run) return [];
    return [{ run, message: kind === "prompt" ? null : toMessage({ ...row, kind }) }];
  });
  return { messages, isCut: rows.length > 1 && (rows.at(-1)?.total ?? 0) > MAX_PAGE };
}
