import type { EndedMessage, Outbox } from "../../outbox/outbox.ts";
import type { Database } from "../sqlite/database.ts";
import { outboxAttempts } from "./outbox-attempts.ts";
import { outboxLists } from "./outbox-lists.ts";
import { type MessageRow, messageColumns, toMessage } from "./outbox-rows.ts";
import type { OutboxTables } from "./outbox-tables.ts";
import { insertMessage, outboxWrites } from "./outbox-writes.ts";

/** Those of its run that come before it and still wait. */
const EARLIER = ({ messages, id, ofRunInTurn }: OutboxTables) =>
  `SELECT 1 FROM ${messages} AS earlier INDEXED BY ${ofRunInTurn} WHERE earlier.target = ${messages}.target
     AND earlier.state = 'waiting' AND earlier.run_id = ${messages}.run_id AND earlier.${id} < ${messages}.${id}`;

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
      const row = await db.first<MessageRow & { tried_at: string | null }>(
        `SELECT ${messageColumns(tables)}, tried_at FROM ${messages} WHERE target = $1 AND state = 'waiting'
         ${isOrdered ? `AND NOT EXISTS (${EARLIER(tables)})` : ""}
         ORDER BY ${messages}.next_attempt_at, attempts, ${idColumn} LIMIT 1`,
        [target],
      );
      if (!row) return undefined;
      const standing = await db.first<{ failures: number; failedAs: string | null; failedAt: string | null }>(
        `SELECT failures, fingerprint AS "failedAs", failed_at AS "failedAt" FROM ${targets} WHERE target = $1`,
        [target],
      );
      const found = { failures: 0, failedAs: null, failedAt: null, ...standing };
      const triedAt =
        [row.tried_at, found.failedAt]
          .filter((at) => at !== null)
          .sort()
          .at(-1) ?? null;
      return {
        message: toMessage<Event, Content>(row),
        failures: found.failures,
        failedAs: found.failedAs,
        failedAt: triedAt,
      };
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
    async expire(target, before, { error, at }) {
      return db.run(
        `UPDATE ${messages} SET state = 'failed', next_attempt_at = NULL, ended_at = $1, last_error = $2
         WHERE target = $3 AND state = 'waiting' AND COALESCE(requested_at, created_at) < $4`,
        [at, error, target, before],
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
    findOverflow: ({ messages: most, bytes }) =>
      db.first<EndedMessage>(
        `SELECT ${idColumn} AS id, ended_at AS "endedAt" FROM (
           SELECT ${idColumn}, ended_at, ROW_NUMBER() OVER newest AS place, SUM(bytes) OVER newest AS total
           FROM ${messages} WHERE ended_at IS NOT NULL
           WINDOW newest AS (ORDER BY ended_at DESC, ${idColumn} DESC ROWS UNBOUNDED PRECEDING)) AS kept
         WHERE place > $1 OR total > $2 ORDER BY ended_at DESC, ${idColumn} DESC LIMIT 1`,
        [most, bytes],
      ),
    async prune(endedBefore, overflow, limit) {
      const { endedAt, id } = overflow ?? { endedAt: "", id: "" };
      return db.run(
        `DELETE FROM ${messages} WHERE ${idColumn} IN (
           SELECT ${idColumn} FROM ${messages}
           WHERE ended_at <= $1 AND (ended_at < $2 OR ended_at < $3 OR (ended_at = $3 AND ${idColumn} <= $4))
           ORDER BY ended_at LIMIT $5)`,
        [endedAt > endedBefore ? endedAt : endedBefore, endedBefore, endedAt, id, limit],
      );
    },
  };
}
