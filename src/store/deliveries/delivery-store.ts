import { firstUuidOf } from "../../id.ts";
import type {
  AcceptableDelivery,
  Delivery,
  DeliveryOutcome,
  DeliveryStore,
  DroppedStore,
  LoggedWebhook,
  Sender,
} from "../../ingress/delivery.ts";
import type { KeyEffects } from "../../runs/rules/run-key.ts";
import type { NewRun } from "../../runs/run.ts";
import { HOUR_MS } from "../../time/duration.ts";
import { allDone } from "../all-done.ts";
import { recordChange } from "../changes/change-store.ts";
import { findSearchBacklog } from "../delivery-search/search-progress.ts";
import { hasGeneration } from "../factories/factory-row.ts";
import { insertRow } from "../new-row.ts";
import { type KeyedRun, placeKeyedRun } from "../run-keys/place-keyed-run.ts";
import { insertRun } from "../runs/insert-run.ts";
import { findAnswer, saveAnswer } from "../runs/once-answers.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { deliveryChange, deliveryRows, writtenSender } from "./accepted-rows.ts";
import { listDeliveryIds } from "./delivery-list.ts";
import { deliveryBodies, deliveryDeletion, deliveryRetention } from "./delivery-retention.ts";
import { pullRequestAuthors, rememberAuthor } from "./pull-request-authors.ts";

interface DeliveryRow {
  delivery_id: string;
  factory_uid: string;
  webhook_uid: string;
  outcome: Delivery["outcome"];
  size: number;
  time: string;
  identity_source: NonNullable<Delivery["identity"]>["source"] | null;
  identity_value: string | null;
  reason: string | null;
  body_differs: number | null;
  duplicate_of: string | null;
  redelivery_of: string | null;
  event: string | null;
  sender: string | null;
  proved_by: Delivery["provedBy"];
}

const COLUMNS = `
  delivery_id, factory_uid, webhook_uid, outcome, size, time, identity_source, identity_value, reason, body_differs,
  duplicate_of, redelivery_of, event, sender, proved_by`;

export function deliveryStore(db: Database): DeliveryStore {
  return {
    async record(delivery) {
      const { once } = delivery;
      const before = once && (await findAnswer(db, once));
      if (before) {
        if ("differs" in before) return { outcome: "Accepted", deliveryId: "", keyUsed: "other" };
        return { outcome: "Accepted", deliveryId: before.answer, keyUsed: "same" };
      }
      const { factoryUid, generation } = delivery;
      // What the delivery was matched under has to be in force still: a rotation, a disabling or a deletion counts from its
      // commit on.
      if (!(await hasGeneration(db, factoryUid, generation))) return { outcome: "Outdated" };
      // The identity's primary key decides who is first, also between two deliveries in one batch.
      const isNew = await isFirst(db, delivery.identityKey, delivery);
      if (once) await saveAnswer(db, once, delivery.id, delivery.time);
      return isNew ? recordAccepted(db, delivery) : recordDuplicate(db, delivery);
    },
    async recordRefusal(refusal) {
      await db.run(
        `INSERT INTO deliveries (delivery_id, factory_uid, webhook_uid, outcome, size, time, reason, sender)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          refusal.id,
          refusal.factoryUid,
          refusal.webhookUid,
          refusal.outcome,
          refusal.size,
          refusal.time,
          refusal.reason,
          writtenSender(refusal.sender),
        ],
      );
      await recordChange(db, deliveryChange(refusal, refusal.outcome));
    },
    async list(query) {
      const { ids, ...page } = await listDeliveryIds(db, query);
      if (ids.length === 0) return { deliveries: [], ...page };
      const rows = await db.all<DeliveryRow>(
        `SELECT ${COLUMNS} FROM deliveries WHERE delivery_id IN (${placeholders(ids.length)}) ORDER BY delivery_id DESC`,
        ids,
      );
      return { deliveries: rows.map(toDelivery), ...page };
    },
    findSearchBacklog: () => findSearchBacklog(db),
    async listByWebhook({ factoryUid, uid }, { before, limit }) {
      const rows = await db.all<DeliveryRow>(
        `SELECT ${COLUMNS} FROM deliveries WHERE webhook_uid = $1 AND factory_uid = $2 AND delivery_id < $3
         ORDER BY delivery_id DESC LIMIT $4`,
        [uid, factoryUid, before ?? "~", limit],
      );
      return rows.map(toDelivery);
    },
    async listProvedByPrevious({ factoryUid, uid }, { since, limit }) {
      const rows = await db.all<DeliveryRow>(
        `SELECT ${COLUMNS} FROM deliveries WHERE webhook_uid = $1 AND proved_by = 'previous' AND factory_uid = $2
           AND time >= $3
         ORDER BY delivery_id DESC LIMIT $4`,
        [uid, factoryUid, since, limit],
      );
      return rows.map(toDelivery);
    },
    async find(id) {
      const row = await db.first<DeliveryRow>(`SELECT ${COLUMNS} FROM deliveries WHERE delivery_id = $1`, [
        id,
      ]);
      return row && toDelivery(row);
    },
    async findFirst(key) {
      const first = await findFirst(db, key);
      return first?.delivery_id;
    },
    async findPayload(id) {
      const row = await db.first<{ payload: Uint8Array | null }>(
        "SELECT payload FROM deliveries WHERE delivery_id = $1",
        [id],
      );
      return row?.payload ?? undefined;
    },
    ...deliveryBodies(db),
    ...deliveryCounts(db),
    ...pullRequestAuthors(db),
    ...deliveryRetention(db),
    ...deliveryDeletion(db),
    ...droppedDeliveries(db),
    ...hourlyDeliveries(db),
  };
}

/** Remembers what a delivery is recognised by. @returns whether it is the first */
async function isFirst(db: Database, key: Uint8Array, { id, bodyHash, time }: AcceptableDelivery) {
  const added = await db.run(
    `INSERT INTO delivery_identities (identity, delivery_id, body_hash, accepted_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (identity) DO NOTHING`,
    [key, id, bodyHash, time],
  );
  return added > 0;
}

/** The runs of a delivery but those that an earlier one of the same happening has started. */
async function newRunsOf(db: Database, delivery: AcceptableDelivery): Promise<NewRun[]> {
  const runs: NewRun[] = [];
  for (const run of delivery.runs) {
    if (!run.happening || (await isFirst(db, run.happening, delivery))) runs.push(run);
  }
  return runs;
}

async function recordAccepted(db: Database, delivery: AcceptableDelivery) {
  const { id, factoryUid, pullRequest, time } = delivery;
  const starting = { id, size: delivery.payload.length };
  const runs = await newRunsOf(db, delivery);
  const keyed = runs.filter(isKeyed);
  await allDone([
    ...deliveryRows(delivery).map((row) => insertRow(db, row)),
    ...(pullRequest ? [rememberAuthor(db, factoryUid, pullRequest, time)] : []),
    ...runs.filter((run) => !isKeyed(run)).map((run) => insertRun(db, run, starting, time)),
  ]);
  const recorded = { outcome: "Accepted" as const, deliveryId: id };
  if (keyed.length === 0) return recorded;
  const effects: KeyEffects = { ended: [], messaged: [] };
  for (const run of keyed) {
    const { ended, messaged } = await placeKeyedRun(db, run, starting, time);
    effects.ended.push(...ended);
    effects.messaged.push(...messaged);
  }
  return { ...recorded, effects };
}

const isKeyed = (run: NewRun): run is KeyedRun => run.keyed !== undefined;

const findFirst = (db: Database, key: Uint8Array) =>
  db.first<{ delivery_id: string; body_hash: Uint8Array }>(
    "SELECT delivery_id, body_hash FROM delivery_identities WHERE identity = $1",
    [key],
  );

async function recordDuplicate(db: Database, delivery: AcceptableDelivery) {
  const original = await findFirst(db, delivery.identityKey);
  if (!original) throw new Error("the original of a duplicate delivery was not found");
  await db.run(
    `INSERT INTO deliveries (
       delivery_id, factory_uid, webhook_uid, outcome, size, time, identity_source, identity_value, body_differs, duplicate_of,
       sender, proved_by)
     VALUES ($1, $2, $3, 'Duplicate', $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      delivery.id,
      delivery.factoryUid,
      delivery.webhookUid,
      delivery.payload.length,
      delivery.time,
      delivery.identity.source,
      delivery.identity.value,
      Buffer.compare(original.body_hash, delivery.bodyHash) === 0 ? 0 : 1,
      original.delivery_id,
      writtenSender(delivery.sender),
      delivery.provedBy,
    ],
  );
  await recordChange(db, deliveryChange(delivery, "Duplicate"));
  return { outcome: "Duplicate" as const, deliveryId: original.delivery_id };
}

function toDelivery(row: DeliveryRow): Delivery {
  const { identity_source: source, identity_value: value } = row;
  return {
    id: row.delivery_id,
    factoryUid: row.factory_uid,
    webhookUid: row.webhook_uid,
    outcome: row.outcome,
    size: row.size,
    time: row.time,
    identity: source !== null && value !== null ? { source, value } : null,
    reason: row.reason,
    bodyDiffers: row.body_differs === null ? null : row.body_differs === 1,
    duplicateOf: row.duplicate_of,
    redeliveryOf: row.redelivery_of,
    event: row.event,
    sender: row.sender === null ? null : (JSON.parse(row.sender) as Sender),
    provedBy: row.proved_by,
  };
}

/** How many deliveries to a webhook were refused without a record, by the hour. */
function droppedDeliveries(db: Database): DroppedStore {
  return {
    async listDropped(since) {
      const rows = await db.all<{
        factory_uid: string;
        webhook_uid: string;
        hour: string;
        over_budget: number;
        blocked: number;
      }>(
        "SELECT factory_uid, webhook_uid, hour, over_budget, blocked FROM dropped_deliveries WHERE hour >= $1",
        [since],
      );
      return rows.map((row) => ({
        factoryUid: row.factory_uid,
        uid: row.webhook_uid,
        hour: row.hour,
        overBudget: row.over_budget,
        blocked: row.blocked,
      }));
    },
    async listDroppedByFactory(since) {
      return db.all(
        `SELECT factory_uid AS "factoryUid", hour, SUM(over_budget) AS "overBudget", SUM(blocked) AS blocked
         FROM dropped_deliveries WHERE hour >= $1 GROUP BY factory_uid, hour`,
        [since],
      );
    },
    async saveDropped(counts, forgetBefore) {
      await db.run("DELETE FROM dropped_deliveries WHERE hour < $1", [forgetBefore]);
      for (const { factoryUid, uid, hour, overBudget, blocked } of counts) {
        await db.run(
          `INSERT INTO dropped_deliveries (factory_uid, webhook_uid, hour, over_budget, blocked)
           VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (factory_uid, webhook_uid, hour)
           DO UPDATE SET over_budget = excluded.over_budget, blocked = excluded.blocked`,
          [factoryUid, uid, hour, overBudget, blocked],
        );
      }
    },
  };
}

/** What the log says of a webhook as a whole. Ids tell the time, and follow the webhook in the index that all of this reads. */
function deliveryCounts(
  db: Database,
): Pick<DeliveryStore, "findLastDelivered" | "findLatestOf" | "findCounts"> {
  return {
    async findLastDelivered(factoryUid, webhookUids, since) {
      const last: Record<string, string> = {};
      for (const uid of webhookUids) {
        const row = await db.first<{ time: string }>(
          `SELECT time FROM deliveries
           WHERE webhook_uid = $1 AND factory_uid = $2 AND delivery_id >= $3 AND outcome IN ('Accepted', 'Duplicate')
           ORDER BY delivery_id DESC LIMIT 1`,
          [uid, factoryUid, firstUuidOf(Date.parse(since))],
        );
        if (row) last[uid] = row.time;
      }
      return last;
    },
    async findLatestOf(webhooks, most) {
      const latest: Record<string, Pick<Delivery, "outcome" | "time" | "reason">[]> = {};
      for (const { factoryUid, uid } of webhooks) {
        latest[uid] = await db.all<Pick<Delivery, "outcome" | "time" | "reason">>(
          `SELECT outcome, time, reason FROM deliveries WHERE webhook_uid = $1 AND factory_uid = $2
           ORDER BY delivery_id DESC LIMIT $3`,
          [uid, factoryUid, most],
        );
      }
      return latest;
    },
    async findCounts({ factoryUid, uid }, since) {
      const row = await db.first<{ total: number; recent: number | null; last_at: string | null }>(
        `SELECT COUNT(*) AS total, SUM(CASE WHEN delivery_id >= $3 THEN 1 ELSE 0 END) AS recent,
           (SELECT time FROM deliveries WHERE webhook_uid = $1 AND factory_uid = $2
            ORDER BY delivery_id DESC LIMIT 1) AS last_at
         FROM deliveries WHERE webhook_uid = $1 AND factory_uid = $2`,
        [uid, factoryUid, firstUuidOf(Date.parse(since))],
      );
      return { all: row?.total ?? 0, recent: row?.recent ?? 0, lastAt: row?.last_at ?? null };
    },
  };
}

const READ_TOGETHER = 100;

/** What counts as what. */
const KINDS: Readonly<Record<Exclude<DeliveryOutcome, "Accepted">, "duplicates" | "rejected">> = {
  Duplicate: "duplicates",
  "Rejected (auth)": "rejected",
  "Rejected (invalid JSON)": "rejected",
  "Rejected (too large)": "rejected",
};
const OTHERS = Object.keys(KINDS);

interface CountRow {
  factoryUid: string;
  uid: string;
  count: number;
}

/** How many deliveries webhooks had in an hour, counted in indexes alone: ids tell the time. */
export function hourlyDeliveries(db: Database): Pick<DeliveryStore, "listHourlyDeliveries"> {
  return {
    async listHourlyDeliveries(webhooks, hour) {
      const range = [firstUuidOf(hour), firstUuidOf(hour + HOUR_MS)];
      const uids = [...new Set(webhooks.map(({ uid }) => uid))];
      const counts: CountRow[] = [];
      for (let from = 0; from < uids.length; from += READ_TOGETHER) {
        const chunk = Array.from({ length: READ_TOGETHER }, (_, index) => uids[from + index] ?? "");
        counts.push(
          ...(await db.all<CountRow>(
            `SELECT factory_uid AS "factoryUid", webhook_uid AS uid, COUNT(*) AS count FROM deliveries
             WHERE webhook_uid IN (${placeholders(READ_TOGETHER, 2)}) AND delivery_id >= $1 AND delivery_id < $2
             GROUP BY webhook_uid, factory_uid`,
            [...range, ...chunk],
          )),
        );
      }
      const others = await db.all<CountRow & { outcome: keyof typeof KINDS }>(
        `SELECT factory_uid AS "factoryUid", webhook_uid AS uid, outcome, COUNT(*) AS count FROM deliveries
         WHERE outcome IN (${placeholders(OTHERS.length, 2)}) AND outcome <> 'Accepted'
           AND delivery_id >= $1 AND delivery_id < $2
         GROUP BY webhook_uid, factory_uid, outcome`,
        [...range, ...OTHERS],
      );
      const found = new Map(
        counts.map(({ count, ...webhook }) => [
          keyOf(webhook),
          { ...webhook, accepted: count, duplicates: 0, rejected: 0 },
        ]),
      );
      for (const { outcome, count, ...webhook } of others) {
        const counted = found.get(keyOf(webhook));
        if (!counted) continue;
        counted.accepted -= count;
        counted[KINDS[outcome]] += count;
      }
      return [...found.values()];
    },
  };
}

const keyOf = ({ factoryUid, uid }: LoggedWebhook) => `${factoryUid}/${uid}`;
