import { firstUuidOf } from "../../id.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import type { Database } from "../sqlite/database.ts";

/** A page holds no more: other readers wait for it, and it travels between threads. */
const MAX_ON_PAGE = 1_000;
const MAX_PAGE_BYTES = 1024 * 1024;

interface BodyRow {
  delivery_id: string;
  event: string | null;
  payload: Uint8Array;
}

/** The bodies of accepted deliveries, read in bulk. */
export function deliveryBodies(db: Database): Pick<DeliveryStore, "listBodies"> {
  return {
    async listBodies({ factoryUid, uid }, { since, before = "~" }) {
      // Sizes first: a page of the largest bodies would be a quarter of a gigabyte.
      const rows = await db.all<{ delivery_id: string; size: number }>(
        `SELECT delivery_id, size FROM deliveries
         WHERE webhook_uid = $1 AND factory_uid = $2 AND delivery_id < $3 AND delivery_id >= $4
           AND outcome = 'Accepted' AND payload IS NOT NULL
         ORDER BY delivery_id DESC LIMIT $5`,
        [uid, factoryUid, before, firstUuidOf(Date.parse(since)), MAX_ON_PAGE],
      );
      const oldest = rows[fitting(rows) - 1]?.delivery_id;
      if (oldest === undefined) return { deliveries: [], bodies: new Uint8Array() };
      const page = await db.all<BodyRow>(
        `SELECT delivery_id, event, payload FROM deliveries
         WHERE webhook_uid = $1 AND factory_uid = $2 AND delivery_id < $3 AND delivery_id >= $4
           AND outcome = 'Accepted' AND payload IS NOT NULL
         ORDER BY delivery_id DESC`,
        [uid, factoryUid, before, oldest],
      );
      return {
        deliveries: page.map(({ delivery_id: id, event, payload }) => ({ id, event, size: payload.length })),
        bodies: joined(page.map(({ payload }) => payload)),
      };
    },
  };
}

/** How many of the first rows make a page; always one, however large it is. */
function fitting(rows: readonly { size: number }[]): number {
  let bytes = 0;
  const end = rows.findIndex(({ size }) => {
    bytes += size;
    return bytes > MAX_PAGE_BYTES;
  });
  return end < 0 ? rows.length : Math.max(1, end);
}

/** One piece of memory of its own, which moves to another thread without being copied. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
