import { firstUuidOf } from "../../id.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import { recordChange } from "../changes/change-store.ts";
import { forgetWords } from "../delivery-search/segment-rows.ts";
import { ENDED } from "../runs/state-lists.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

/** Words of deliveries that are pruned leave together with those of the next hour: they stand in the same places. */
const WORDS_LEAVE_MS = 60 * 60_000;

/** What keeps the delivery log from growing for ever. Ids rise with time, so the oldest come first in their index. */
export function deliveryRetention(
  db: Database,
): Pick<DeliveryStore, "listLoggedWebhooks" | "prune" | "forgetIdentities"> {
  return {
    async listLoggedWebhooks() {
      // Jumps from one webhook to the next in the index; DISTINCT would read every entry of it.
      const rows = await db.all<{ uid: string }>(
        `WITH RECURSIVE logged (uid) AS (
           SELECT MIN(webhook_uid) FROM deliveries
           UNION ALL
           SELECT (SELECT MIN(webhook_uid) FROM deliveries WHERE webhook_uid > logged.uid)
           FROM logged WHERE logged.uid IS NOT NULL)
         SELECT uid FROM logged WHERE uid IS NOT NULL`,
      );
      return rows.map(({ uid }) => uid);
    },
    async prune(webhookUid, { since, newest }, limit) {
      // Ids tell the time too, and they are what the index is sorted by: what stays is not looked at.
      const rows = await db.all<{ delivery_id: string }>(
        `SELECT delivery_id FROM deliveries
         WHERE webhook_uid = $1 AND delivery_id < $2 AND delivery_id < (
           SELECT delivery_id FROM deliveries WHERE webhook_uid = $1 ORDER BY delivery_id DESC LIMIT 1 OFFSET $3)
         ORDER BY delivery_id LIMIT $4`,
        [webhookUid, firstUuidOf(Date.parse(since)), newest - 1, limit],
      );
      const ids = rows.map((row) => row.delivery_id);
      if (ids.length === 0) return 0;
      const listed = placeholders(ids.length);
      await forgetWords(db, ids, new Date(Date.now() + WORDS_LEAVE_MS).toISOString());
      await db.run(
        `UPDATE run_attachments
         SET content = (SELECT payload FROM deliveries d WHERE d.delivery_id = run_attachments.delivery_id),
             delivery_id = NULL
         WHERE run_id IN (SELECT run_id FROM runs WHERE delivery_id IN (${listed})
                          UNION SELECT run_id FROM run_deliveries WHERE delivery_id IN (${listed}))
           AND delivery_id IN (${listed})`,
        ids,
      );
      return db.run(`DELETE FROM deliveries WHERE delivery_id IN (${listed})`, ids);
    },
    forgetIdentities: (before, limit) =>
      db.run(
        `DELETE FROM delivery_identities WHERE identity IN (
           SELECT i.identity FROM delivery_identities i
           WHERE i.accepted_at < $1 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.delivery_id = i.delivery_id)
           ORDER BY i.accepted_at LIMIT $2)`,
        [before, limit],
      ),
  };
}

/** What is still needed: a run that has not ended reads the body of its delivery when it starts. */
const NEEDED = `(EXISTS (SELECT 1 FROM runs r WHERE r.delivery_id = d.delivery_id AND r.state NOT IN (${ENDED}))
  OR EXISTS (SELECT 1 FROM run_deliveries g JOIN runs r ON r.run_id = g.run_id
             WHERE g.delivery_id = d.delivery_id AND r.state NOT IN (${ENDED})))`;

/** What is deleted because someone asks for it. Identities stay, so that what is sent again starts nothing. */
export function deliveryDeletion(
  db: Database,
): Pick<DeliveryStore, "forgetPayload" | "forgetDeliveries" | "findCount"> {
  /** Runs that have ended were given copies, or read the delivery's own. */
  const forgetGiven = (ids: readonly string[]) =>
    db.run(`DELETE FROM run_attachments WHERE delivery_id IN (${placeholders(ids.length)})`, [...ids]);

  return {
    async forgetPayload(id) {
      const forgotten = await db.run(
        `UPDATE deliveries AS d SET payload = NULL WHERE d.delivery_id = $1 AND NOT ${NEEDED}`,
        [id],
      );
      if (forgotten === 0) return false;
      await db.run("DELETE FROM pull_request_events WHERE delivery_id = $1", [id]);
      await forgetWords(db, [id], new Date().toISOString());
      await forgetGiven([id]);
      return true;
    },
    async forgetDeliveries({ factoryUid, uid }, upTo, limit, at) {
      const rows = await db.all<{ delivery_id: string }>(
        `SELECT d.delivery_id FROM deliveries d
         WHERE d.webhook_uid = $1 AND d.factory_uid = $2 AND d.delivery_id <= $3 AND NOT ${NEEDED}
         ORDER BY d.delivery_id LIMIT $4`,
        [uid, factoryUid, upTo, limit],
      );
      const ids = rows.map((row) => row.delivery_id);
      if (ids.length === 0) return [];
      await forgetGiven(ids);
      await forgetWords(db, ids, at);
      await db.run(`DELETE FROM deliveries WHERE delivery_id IN (${placeholders(ids.length)})`, ids);
      // One for the batch: a webhook may have a million of them.
      await recordChange(db, {
        kind: "webhook",
        subject: uid,
        factoryUid,
        webhookUid: uid,
        status: "deliveries_deleted",
        at,
      });
      return ids;
    },
    async findCount({ factoryUid, uid }, upTo) {
      const row = await db.first<{ count: number }>(
        `SELECT COUNT(*) AS count FROM deliveries
         WHERE webhook_uid = $1 AND factory_uid = $2 AND delivery_id <= $3`,
        [uid, factoryUid, upTo],
      );
      return row?.count ?? 0;
    },
  };
}

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
