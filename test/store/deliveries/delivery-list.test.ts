import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { type DeliveryFilter, OUTCOMES } from "../../../src/ingress/delivery.ts";
import type { Store } from "../../../src/store/store.ts";
import { aStoreOf } from "../../given/factory.ts";
import { AT, aDelivery, aRun } from "../../given/store.ts";

const FIRST = { uid: "first", factoryUid: "factory" };
const SECOND = { uid: "second", factoryUid: "factory" };

type Kind = { webhook: string; outcome: (typeof OUTCOMES)[number]; started: boolean; id: string };

/** One delivery of each kind to each webhook, several times over, oldest first. */
async function recorded({ deliveries }: Store, rounds: number): Promise<Kind[]> {
  const kinds: Kind[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const webhook of ["first", "second"]) {
      for (const started of [true, false]) {
        const id = newUuid();
        const runs = started ? [aRun(), aRun()] : [];
        await deliveries.record(aDelivery({ id, webhookUid: webhook, identityKey: Buffer.from(id), runs }));
        kinds.push({ webhook, outcome: "Accepted", started, id });
      }
      const again = newUuid();
      const identityKey = Buffer.from(kinds.at(-1)?.id ?? "");
      await deliveries.record(aDelivery({ id: again, webhookUid: webhook, identityKey }));
      kinds.push({ webhook, outcome: "Duplicate", started: false, id: again });
      for (const outcome of OUTCOMES) {
        if (outcome === "Accepted" || outcome === "Duplicate") continue;
        const id = newUuid();
        const common = {
          factoryUid: "factory",
          webhookUid: webhook,
          time: AT,
          size: 1,
          reason: "why",
          sender: null,
        };
        await deliveries.recordRefusal({ ...common, id, outcome });
        kinds.push({ webhook, outcome, started: false, id });
      }
    }
  }
  return kinds;
}

/** Every id that fits, over as many pages as it takes. */
async function idsOf({ deliveries }: Store, filter: DeliveryFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await deliveries.list({ ...filter, limit, before });
    ids.push(...page.deliveries.map(({ id }) => id));
    if (page.next === null) return ids;
    before = page.next;
  }
}

describe("the list of deliveries", () => {
  test("has what fits every combination of filters once, newest first, whatever the size of a page", async () => {
    const store = await aStoreOf("factory", "other");
    const kinds = await recorded(store, 3);
    for (const webhooks of [undefined, [FIRST], [FIRST, SECOND], []]) {
      for (const outcomes of [undefined, ["Accepted"], ["Duplicate", "Rejected (auth)"], OUTCOMES] as const) {
        for (const started of [undefined, true, false]) {
          const fits = kinds
            .filter(({ webhook }) => !webhooks || webhooks.some(({ uid }) => uid === webhook))
            .filter(({ outcome }) => !outcomes || (outcomes as readonly string[]).includes(outcome))
            .filter((kind) => started === undefined || kind.started === started)
            .map(({ id }) => id)
            .reverse();
          for (const limit of [1, 4, 100]) {
            expect(await idsOf(store, { webhooks, outcomes, started }, limit)).toEqual(fits);
          }
        }
      }
    }
  });

  test("goes from one instant, inclusive, to another, exclusive", async () => {
    const store = await aStoreOf("factory", "other");
    const ids = [1_000, 2_000, 3_000].map(
      (at) => `00000000-${at.toString(16).padStart(4, "0")}-7000-8000-000000000001`,
    );
    for (const id of ids) await store.deliveries.record(aDelivery({ id, identityKey: Buffer.from(id) }));
    expect(await idsOf(store, { since: 1_000, until: 3_000 }, 10)).toEqual([ids[1], ids[0]]);
  });

  test("passes over runs whose delivery has left the log, and what came to another factory under the same uid", async () => {
    const store = await aStoreOf("factory", "other");
    const [gone, kept] = [aDelivery({ runs: [aRun()] }), aDelivery({ runs: [aRun()] })];
    const other = aDelivery({ factoryUid: "other", runs: [aRun()] });
    for (const delivery of [gone, kept, other]) await store.deliveries.record(delivery);
    await store.connection.run("DELETE FROM deliveries WHERE delivery_id = $1", [gone.id]);
    expect(await idsOf(store, { started: true }, 10)).toEqual([other.id, kept.id]);
    const webhooks = [{ uid: "webhook", factoryUid: "factory" }];
    expect(await idsOf(store, { started: true, webhooks }, 10)).toEqual([kept.id]);
  });

  test("ends a page early rather than examine the whole log, and goes on from there", async () => {
    const store = await aStoreOf("factory", "other");
    const wanted = aDelivery();
    await store.deliveries.record(wanted);
    await store.connection.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
       INSERT INTO deliveries (delivery_id, factory_uid, webhook_uid, outcome, size, time)
       SELECT 'ffffffff-' || SUBSTR(CAST(100000000 + i AS TEXT), 2), 'factory', 'webhook', 'Duplicate', 1, $1 FROM n`,
      [AT],
    );
    const filter = { outcomes: ["Accepted" as const] };
    const page = await store.deliveries.list({ ...filter, limit: 5 });
    expect(page).toEqual({ deliveries: [], next: "ffffffff-00010001" });
    expect(await idsOf(store, filter, 5)).toEqual([wanted.id]);
  });
});
