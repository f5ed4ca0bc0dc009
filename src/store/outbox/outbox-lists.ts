import type { Message, MessageHead, MessageQuery, Outbox, TargetStanding } from "../../messages/outbox.ts";
import { type Database, placeholders, type SqlValue } from "../sqlite/database.ts";
import type { OutboxTables } from "./outbox-tables.ts";

/** Reads an outbox, for those who look at it. */
export function outboxLists<Event extends string, Content>(
  db: Database,
  tables: OutboxTables,
): Pick<
  Outbox<Event, Content>,
  "list" | "listHeads" | "find" | "listStandings" | "listWaitingTargets" | "findWaiting"
> {
  const { messages, id: idColumn } = tables;
  const columns = messageColumns(tables);

  function newest<Row>(read: string, query: MessageQuery<Event>): Promise<Row[]> {
    const { where, values } = conditions(query, idColumn);
    return db.all<Row>(
      `SELECT ${read} FROM ${messages} ${where} ORDER BY ${idColumn} DESC LIMIT $${values.length + 1}`,
      [...values, query.limit],
    );
  }

  return {
    async list(query) {
      return (await newest<MessageRow>(columns, query)).map((row) => toMessage(row));
    },
    async listHeads(query) {
      return (await newest<HeadRow>(headColumns(tables), query)).map((row) => toHead(row));
    },
    async find(id) {
      const row = await db.first<MessageRow>(`SELECT ${columns} FROM ${messages} WHERE ${idColumn} = $1`, [
        id,
      ]);
      return row && toMessage(row);
    },
    async listStandings(targets) {
      return Promise.all(targets.map((target) => standingOf(db, target, tables)));
    },
    async listWaitingTargets() {
      const rows = await db.all<{ target: string }>(
        `SELECT DISTINCT target FROM ${messages} WHERE state = 'waiting'`,
      );
      return rows.map(({ target }) => target);
    },
    async findWaiting() {
      const row = await db.first<{ count: number }>(
        `SELECT COUNT(*) AS count FROM ${messages} WHERE state = 'waiting'`,
      );
      return row?.count ?? 0;
    },
  };
}

async function standingOf(
  db: Database,
  target: string,
  { messages, targets, id }: OutboxTables,
): Promise<TargetStanding> {
  const row = await db.first<Pick<TargetStanding, "gone" | "restsUntil" | "failures" | "failedBy">>(
    `SELECT gone, rests_until AS "restsUntil", failures, failed_by AS "failedBy" FROM ${targets} WHERE target = $1`,
    [target],
  );
  const waiting = await db.first<{ count: number }>(
    `SELECT COUNT(*) AS count FROM ${messages} WHERE target = $1 AND state = 'waiting'`,
    [target],
  );
  const last = await db.first<TargetStanding["last"] & object>(
    `SELECT state, created_at AS "createdAt", ended_at AS "endedAt", last_error AS "lastError"
     FROM ${messages} WHERE target = $1 ORDER BY ${id} DESC LIMIT 1`,
    [target],
  );
  return {
    target,
    waiting: waiting?.count ?? 0,
    gone: null,
    restsUntil: null,
    failures: 0,
    failedBy: null,
    ...row,
    last: last ?? null,
  };
}

function conditions({ before, target, states, events, ownedBy }: MessageQuery<string>, id: string) {
  const values: SqlValue[] = [];
  const parts: string[] = [];
  const value = (given: string) => {
    values.push(given);
    return `$${values.length}`;
  };
  const oneOf = (column: string, given: readonly string[]) => {
    if (given.length === 0) return parts.push("1 = 0");
    const listed = placeholders(given.length, values.length);
    values.push(...given);
    return parts.push(`${column} IN (${listed})`);
  };
  if (before !== undefined) parts.push(`${id} < ${value(before)}`);
  if (target !== undefined) parts.push(`target = ${value(target)}`);
  if (states) oneOf("state", states);
  if (events) oneOf("event", events);
  if (ownedBy) oneOf("owner_uid", ownedBy);
  return { where: parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`, values };
}

/** A message as the database names it, without what it says. */
interface HeadRow {
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
function headColumns({ messages, targets, id }: OutboxTables): string {
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

function toHead<Event extends string>(row: HeadRow): MessageHead<Event> {
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
