import type { Message } from "../../outbox/outbox.ts";

/** A message as the database names it. */
export interface MessageRow {
  id: string;
  target: string;
  owner_uid: string | null;
  factory_uid: string | null;
  run_id: string | null;
  event: string;
  content: string;
  state: Message<string, unknown>["state"];
  attempts: number;
  last_error: string | null;
  response: string | null;
  created_at: string;
  requested_at: string | null;
  next_attempt_at: string | null;
  ended_at: string | null;
}

export function messageColumns(id: string): string {
  return `${id} AS id, target, owner_uid, factory_uid, run_id, event, content, state, attempts, last_error, response,
    created_at, requested_at, next_attempt_at, ended_at`;
}

export function toMessage<Event extends string, Content>(row: MessageRow): Message<Event, Content> {
  return {
    id: row.id,
    target: row.target,
    ownerUid: row.owner_uid,
    factoryUid: row.factory_uid,
    runId: row.run_id,
    event: row.event as Event,
    content: JSON.parse(row.content) as Content,
    state: row.state,
    attempts: row.attempts,
    lastError: row.last_error,
    response: row.response === null ? null : JSON.parse(row.response),
    createdAt: row.created_at,
    requestedAt: row.requested_at,
    nextAttemptAt: row.next_attempt_at,
    endedAt: row.ended_at,
  };
}
