import type { NewMessage, OutboxSize } from "../../outbox/outbox.ts";
import { HOUR_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";
import type { OutboxTables } from "./outbox-tables.ts";

/** Whether a message can be written: not where too many wait, nor where the receiver wants no more. */
type Room = "free" | "full" | "unwanted";

/**
 * Says of messages that are written together whether there is room for each. What is there is counted once: a receiver that
 * is down for long has thousands that wait.
 */
export function outboxRoom(
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
