import { firstUuidOf } from "../../id.ts";
import type { NewMessage } from "../../outbox/outbox.ts";
import { HOUR_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";
import type { OutboxTables } from "./outbox-tables.ts";

/**
 * Says of messages that are written together whether there is room for each. What is there is counted once: a receiver that
 * is down for long has thousands that wait.
 */
export function outboxRoom(
  db: Database,
  tables: OutboxTables,
): (message: NewMessage<string, unknown>) => Promise<boolean> {
  const { messages, targets, id, waiting, ofOwner, limits } = tables;
  const rooms = new Map<string, number>();
  const gone = new Map<string, boolean>();

  return async ({ target, ownerUid, fingerprint, at }) => {
    const isGone = gone.get(target) ?? (await wantsNoMore(target, fingerprint));
    gone.set(target, isGone);
    if (isGone) return false;
    const kept = await roomOf(
      `target ${target}`,
      limits.waiting,
      waiting,
      "target = $1 AND state = 'waiting'",
      [target],
    );
    // Ids tell when they were made.
    const hourAgo = firstUuidOf(Date.parse(at) - HOUR_MS);
    const made =
      ownerUid === null
        ? limits.perHour
        : await roomOf(
            `owner ${ownerUid}`,
            limits.perHour,
            ofOwner,
            `owner_uid = $1 AND ${id} > $2 AND event <> 'test'`,
            [ownerUid, hourAgo],
          );
    if (kept <= 0 || made <= 0) return false;
    take(`target ${target}`);
    take(`owner ${ownerUid}`);
    return true;
  };

  async function wantsNoMore(target: string, fingerprint: string): Promise<boolean> {
    const row = await db.first(`SELECT target FROM ${targets} WHERE target = $1 AND gone = $2`, [
      target,
      fingerprint,
    ]);
    return row !== undefined;
  }

  /** @param index the one that has what is counted: by another, everything that was ever sent to a target is read */
  async function roomOf(
    key: string,
    most: number,
    index: string,
    where: string,
    values: string[],
  ): Promise<number> {
    const known = rooms.get(key);
    if (known !== undefined) return known;
    const row = await db.first<{ count: number }>(
      `SELECT COUNT(*) AS count FROM (SELECT 1 FROM ${messages} INDEXED BY ${index} WHERE ${where} LIMIT ${most}) AS counted`,
      values,
    );
    const room = most - (row?.count ?? 0);
    rooms.set(key, room);
    return room;
  }

  function take(key: string): void {
    const room = rooms.get(key);
    if (room !== undefined) rooms.set(key, room - 1);
  }
}
