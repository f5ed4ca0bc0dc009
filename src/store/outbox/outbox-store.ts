import { firstUuidOf } from "../../id.ts";
import type { Outbox } from "../../outbox/outbox.ts";
import type { Database } from "../sqlite/database.ts";
import { outboxAttempts } from "./outbox-attempts.ts";
import { outboxLists } from "./outbox-lists.ts";
import { type MessageRow, messageColumns, toMessage } from "./outbox-rows.ts";
import type { OutboxTables } from "./outbox-tables.ts";
import { insertMessage, outboxWrites } from "./outbox-writes.ts";

/** Those of its run that come before it and still wait. */
const EARLIER = (messages: string, id: string) =>
  `SELECT 1 FROM ${messages} AS earlier WHERE earlier.target = ${messages}.target AND earlier.state = 'waiting'
     AND earlier.run_id = ${messages}.run_id AND earlier.${id} < ${messages}.${id}`;

/** An outbox in its tables. */
export function outboxStore<Event extends string, Content>(
  db: Database,
  tables: OutboxTables,
): Outbox<Event, Content> {
  const { messages, targets, id: idColumn } = tables;
  const { noteSent, ...attempts } = outboxAttempts(db, tables);
  return {
    ...outboxWrites(db, tables),
    ...outboxLists<Event, Content>(db, tables),
    ...attempts,
    async record(message, outcome) {
      const state = outcome.state === "sent" ? "sent" : "failed";
      const content = JSON.stringify(message.content);
      await insertMessage(db, tables, message, { state, nextAttemptAt: null, content });
      const { error, response } = { error: null, response: undefined, ...outcome };
      await db.run(
        `UPDATE ${messages} SET attempts = 1, last_error = $1, response = $2 WHERE ${idColumn} = $3`,
        [error, response === undefined ? null : JSON.stringify(response), message.id],
      );
      // Whoever was asked by hand and takes it is there again.
      if (outcome.state === "sent") await noteSent(message.target, message.at);
    },
    // Those that wait together for their target take turns: one that it never takes does not hold up the others.
    async findNext(target, isOrdered) {
      const row = await db.first<MessageRow>(
        `SELECT ${messageColumns(idColumn)} FROM ${messages} WHERE target = $1 AND state = 'waiting'
         ${isOrdered ? `AND NOT EXISTS (${EARLIER(messages, idColumn)})` : ""}
         ORDER BY next_attempt_at, attempts, ${idColumn} LIMIT 1`,
        [target],
      );
      if (!row) return undefined;
      const standing = await db.first<{ failures: number; failedAs: string | null; failedAt: string | null }>(
        `SELECT failures, fingerprint AS "failedAs", failed_at AS "failedAt" FROM ${targets} WHERE target = $1`,
        [target],
      );
      const found = { failures: 0, failedAs: null, failedAt: null, ...standing };
      return { message: toMessage<Event, Content>(row), ...found };
    },
    async findNewestId() {
      return (
        (await db.first<{ id: string | null }>(`SELECT MAX(${idColumn}) AS id FROM ${messages}`))?.id ?? null
      );
    },
    async listGone() {
      return db.all<{ target: string; gone: string }>(
        `SELECT target, gone FROM ${targets} WHERE gone IS NOT NULL`,
      );
    },
    async expire(target, before, at) {
      return db.run(
        `UPDATE ${messages} SET state = 'failed', next_attempt_at = NULL, ended_at = $1,
           last_error = 'given up after 3 days: the target is disabled, or its factory is not loaded'
         WHERE target = $2 AND state = 'waiting' AND ${idColumn} < $3 AND COALESCE(requested_at, created_at) < $4`,
        [at, target, firstUuidOf(Date.parse(before)), before],
      );
    },
    async drop(target, at, limit) {
      return db.run(
        `UPDATE ${messages} SET state = 'dropped', next_attempt_at = NULL, ended_at = $1,
           last_error = 'the target is not configured any more'
         WHERE ${idColumn} IN (
           SELECT ${idColumn} FROM ${messages} WHERE target = $2 AND state = 'waiting' LIMIT $3)`,
        [at, target, limit],
      );
    },
    async prune(endedBefore, kept, limit) {
      const old = await db.run(
        `DELETE FROM ${messages} WHERE ${idColumn} IN (
           SELECT ${idColumn} FROM ${messages} WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)`,
        [endedBefore, limit],
      );
      if (old > 0) return old;
      const many = await db.run(
        `DELETE FROM ${messages} WHERE ${idColumn} IN (
           SELECT ${idColumn} FROM ${messages} WHERE ended_at < (
             SELECT ended_at FROM ${messages} WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 1 OFFSET $1)
           ORDER BY ended_at LIMIT $2)`,
        [kept.messages, limit],
      );
      if (many > 0) return many;
      return db.run(
        `DELETE FROM ${messages} WHERE ${idColumn} IN (
           SELECT ${idColumn} FROM ${messages} WHERE ended_at <= (
             SELECT ended_at FROM (
               SELECT ended_at, SUM(bytes) OVER (ORDER BY ended_at DESC, ${idColumn} DESC) AS total
               FROM ${messages} WHERE ended_at IS NOT NULL) AS sums
             WHERE total > $1 ORDER BY ended_at DESC LIMIT 1)
           ORDER BY ended_at LIMIT $2)`,
        [kept.bytes, limit],
      );
    },
  };
}
