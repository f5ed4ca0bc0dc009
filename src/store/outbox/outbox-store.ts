import type { EndedMessage, Followed, NewMessage, Outbox, OutboxSize } from "../../messages/outbox.ts";
import { HOUR_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";
import { outboxAttempts } from "./outbox-attempts.ts";
import { type MessageRow, messageColumns, outboxLists, toMessage } from "./outbox-lists.ts";
import type { OutboxTables } from "./outbox-tables.ts";

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

type New = NewMessage<string, unknown>;

/** Writes what following the changes has come to. */
function outboxWrites(
  db: Database,
  tables: OutboxTables,
): Pick<Outbox<string, unknown>, "findProgress" | "follow" | "pass" | "saveProgress" | "saveFollowed"> {
  const { progress } = tables;
  const following = outboxProgress(db, tables);

  return {
    ...following,
    async saveFollowed({ from, upTo, messages }: Followed<string, unknown>) {
      const row = await db.first<{ seq: number }>(`SELECT seq FROM ${progress}`);
      if (row?.seq !== from) throw new Error("another server follows the changes now");
      const roomFor = outboxRoom(db, tables);
      let dropped = 0;
      for (const each of messages) {
        const content = JSON.stringify(each.content);
        const room = await roomFor(each, Buffer.byteLength(content));
        if (room === "free")
          await insertMessage(db, tables, each, { state: "waiting", nextAttemptAt: each.at, content });
        if (room === "full") dropped += 1;
      }
      await following.saveProgress(upTo);
      return dropped;
    },
  };
}

interface InsertedState {
  state: "waiting" | "sent" | "failed";
  nextAttemptAt: string | null;
  /** What it says, as JSON. */
  content: string;
}

/** Writes a message down, unless its cause was told to its target. */
async function insertMessage(
  db: Database,
  { messages, id }: Pick<OutboxTables, "messages" | "id">,
  each: New,
  { state, nextAttemptAt, content }: InsertedState,
): Promise<void> {
  await db.run(
    `INSERT INTO ${messages}
       (${id}, dedup_key, target, owner_uid, factory_uid, run_id, event, bytes, content, state, created_at,
        next_attempt_at, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (dedup_key) DO NOTHING`,
    [
      each.id,
      `${each.target} ${each.cause}`,
      each.target,
      each.ownerUid,
      each.factoryUid,
      each.runId,
      each.event,
      Buffer.byteLength(content),
      content,
      state,
      each.at,
      nextAttemptAt,
      nextAttemptAt === null ? each.at : null,
    ],
  );
}

type Progress = Pick<Outbox<string, unknown>, "findProgress" | "follow" | "pass" | "saveProgress">;

/** How far the log of changes was read for an outbox. */
function outboxProgress(db: Database, { progress }: Pick<OutboxTables, "progress">): Progress {
  return {
    async findProgress() {
      const row = await db.first<{ seq: number; is_active: number; newest: number | null }>(
        `SELECT seq, is_active, (SELECT MAX(seq) FROM changes) AS newest FROM ${progress}`,
      );
      return { seq: row?.seq ?? 0, newest: row?.newest ?? 0, isActive: row?.is_active === 1 };
    },
    async follow(passed) {
      // The applied definition counts itself: it is what has named the first target. A failed one is not in force.
      await db.run(
        `UPDATE ${progress} SET is_active = 1, seq = COALESCE(
           (SELECT MIN(seq) - 1 FROM changes
            WHERE seq > $1 AND kind = 'factory' AND status NOT IN ('failed', 'deleted')),
           (SELECT MAX(seq) FROM changes), 0)
         WHERE is_active = 0`,
        [passed ?? Number.MAX_SAFE_INTEGER],
      );
      return (await db.first<{ seq: number }>(`SELECT seq FROM ${progress}`))?.seq ?? 0;
    },
    async pass() {
      await db.run(`UPDATE ${progress} SET is_active = 0 WHERE is_active = 1`);
    },
    async saveProgress(upTo) {
      await db.run(`UPDATE ${progress} SET seq = $1 WHERE seq < $1`, [upTo]);
    },
  };
}

/** Whether a message can be written: not where too many wait, nor where the receiver wants no more. */
type Room = "free" | "full" | "unwanted";

/**
 * Says of messages that are written together whether there is room for each. What is there is counted once: a receiver that
 * is down for long has thousands that wait.
 */
function outboxRoom(
  db: Database,
  tables: OutboxTables,
): (message: NewMessage<string, unknown>, bytes: number) => Promise<Room> {
  const { messages, targets, inTurn, ofOwner, limits } = tables;
  const rooms = new Map<string, OutboxSize>();
  const gone = new Map<string, boolean>();

  return async ({ target, ownerUid, fingerprint, at }, bytes) => {
    const isGone = gone.get(target) ?? (await wantsNoMore(target, fingerprint));
    gone.set(target, isGone);
    if (isGone) return "unwanted";
    const needed = [await roomOfTarget(target)];
    if (ownerUid !== null) needed.push(await roomOfOwner(ownerUid, at));
    if (needed.some((room) => room.messages < 1 || room.bytes < bytes)) return "full";
    for (const room of needed) {
      room.messages -= 1;
      room.bytes -= bytes;
    }
    return "free";
  };

  async function wantsNoMore(target: string, fingerprint: string): Promise<boolean> {
    const row = await db.first(`SELECT target FROM ${targets} WHERE target = $1 AND gone = $2`, [
      target,
      fingerprint,
    ]);
    return row !== undefined;
  }

  function roomOfTarget(target: string): Promise<OutboxSize> {
    const where = "target = $1 AND state = 'waiting'";
    return roomOf(`target ${target}`, limits.waiting, inTurn, where, [target]);
  }

  function roomOfOwner(ownerUid: string, at: string): Promise<OutboxSize> {
    // Not by ids: those stay ahead of a clock that was set back, and so would this hour.
    const hourAgo = new Date(Date.parse(at) - HOUR_MS).toISOString();
    const where = "owner_uid = $1 AND created_at > $2 AND created_at <= $3 AND event <> 'test'";
    return roomOf(`owner ${ownerUid}`, limits.perHour, ofOwner, where, [ownerUid, hourAgo, at]);
  }

  /** @param index the one that has what is counted: by another, everything that was ever sent to a target is read */
  async function roomOf(
    key: string,
    most: OutboxSize,
    index: string,
    where: string,
    values: string[],
  ): Promise<OutboxSize> {
    const known = rooms.get(key);
    if (known) return known;
    const taken = await db.first<OutboxSize>(
      `SELECT COUNT(*) AS messages, COALESCE(SUM(bytes), 0) AS bytes
       FROM (SELECT bytes FROM ${messages} INDEXED BY ${index} WHERE ${where} LIMIT ${most.messages}) AS counted`,
      values,
    );
    const room = {
      messages: most.messages - (taken?.messages ?? 0),
      bytes: most.bytes - (taken?.bytes ?? 0),
    };
    rooms.set(key, room);
    return room;
  }
}
