import type { Stage } from "../../tasks/rules/stage.ts";
import type { Task } from "../../tasks/task.ts";

/** A task as the database names it. */
export interface TaskRow {
  uid: string;
  factory_uid: string;
  conversation_id: string;
  title: string;
  description: string | null;
  stage: Stage;
  stage_at: string;
  author: string;
  ticket_id: string | null;
  ticket_source: string | null;
  ticket_url: string | null;
  created_at: string;
  updated_at: string;
}

export const TASK_COLUMNS = `
  uid, factory_uid, conversation_id, title, description, stage, stage_at, author, ticket_id, ticket_source, ticket_url,
  created_at, updated_at`;

export function toTask(row: TaskRow): Task {
  const { ticket_id: id, ticket_source: source } = row;
  return {
    uid: row.uid,
    factoryUid: row.factory_uid,
    conversationId: row.conversation_id,
    title: row.title,
    description: row.description,
    stage: row.stage,
    stageAt: row.stage_at,
    author: JSON.parse(row.author),
    ticket: id === null || source === null ? null : { id, source, url: row.ticket_url },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The form of a title in which it is searched: for letters of any case, also those that SQLite knows nothing of. */
export const searchTitle = (title: string) => title.toLowerCase();
