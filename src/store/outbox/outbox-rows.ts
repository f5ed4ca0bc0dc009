import type { Message, MessageHead } from "../../outbox/outbox.ts";
import type { OutboxTables } from "./outbox-tables.ts";

/** A message as the database names it, without what it says. */
export interface HeadRow {
  id: string;
  target: string;
  owner_uid: string | null;
  factory_uid: string | null;
  run_id: string | null;
  event: string;
  state: Message<string, unknown>["state"];
  attempts: number;
  last_error: string | null;
  response: string | null;
  created_at: string;
  requested_at: string | null;
  next_attempt_at: string | null;
  ended_at: string | null;
}

export interface MessageRow extends HeadRow {
  content: string;
}

/** The columns of a {@link HeadRow}. What waits is tried no sooner than its target is. */
export function headColumns({ messages, targets, id }: OutboxTables): string {
  const rest = `(SELECT rests_until FROM ${targets} WHERE ${targets}.target = ${messages}.target)`;
  return `${id} AS id, target, owner_uid, factory_uid, run_id, event, state, attempts, last_error, response, created_at,
    requested_at, ended_at,
    CASE WHEN state = 'waiting' AND next_attempt_at < ${rest} THEN ${rest} ELSE next_attempt_at END AS next_attempt_at`;
}

/** The columns of a {@link MessageRow}. */
export function messageColumns(tables: OutboxTables): string {
  return `${headColumns(tables)}, content`;
}

export function toMessage<Event extends string, Content>(row: MessageRow): Message<Event, Content> {
  return { ...toHead<Event>(row), content: JSON.parse(row.content) as Content };
}

export function toHead<Event extends string>(row: HeadRow): MessageHead<Event> {
  return {
    id: row.id,
    target: row.target,
    ownerUid: row.owner_uid,
    factoryUid: row.factory_uid,
    runId: row.run_id,
    event: row.event as Event,
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
