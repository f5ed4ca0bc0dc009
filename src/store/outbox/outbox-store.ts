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
      await insertMessage(db, tables, message, { state, nextAttemptAt: null });
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
      const row = await db.first<MessageRow & { failures: number | null }>(
        `SELECT ${messageColumns(idColumn)}, (SELECT failures FROM ${targets} WHERE target = $1) AS failures
         FROM ${messages} WHERE target = $1 AND state = 'waiting'
         ${isOrdered ? `AND NOT EXISTS (${EARLIER(messages, idColumn)})` : ""}
         ORDER BY next_attempt_at, attempts, ${idColumn} LIMIT 1`,
        [target],
      );
      return row && { message: toMessage<Event, Content>(row), failures: row.failures ?? 0 };
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
    async prune(endedBefore, keepNewest, limit) {
      const old = await db.run(
        `DELETE FROM ${messages} WHERE ${idColumn} IN (
           SELECT ${idColumn} FROM ${messages} WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)`,
        [endedBefore, limit],
      );
      if (old > 0) return old;
      return db.run(
        `DELETE FROM ${messages} WHERE ${idColumn} IN (
           SELECT ${idColumn} FROM ${messages} WHERE ended_at < (
             SELECT ended_at FROM ${messages} WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 1 OFFSET $1)
           ORDER BY ended_at LIMIT $2)`,
        [keepNewest, limit],
      );
    },
  };
}
