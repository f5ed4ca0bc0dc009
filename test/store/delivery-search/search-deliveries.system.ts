import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import type { DeliveryFilter } from "../../../src/ingress/delivery.ts";
import { searchDeliveries } from "../../../src/store/delivery-search/search-deliveries.ts";
import type { Store } from "../../../src/store/store.ts";
import { aStoreOf } from "../../given/factory.ts";
import { AT, aDelivery, aRun } from "../../given/store.ts";

type Given = { id: string; words: string[]; webhook: string; event: string | null; started: boolean };

const VOCABULARY = Array.from({ length: 60 }, (_, n) => `word${n}`);

/** The same numbers in each run of the test. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function record(store: Store, pick: (below: number) => number): Promise<Given> {
  const id = newUuid();
  // Some words are in most deliveries, others in few.
  const words = VOCABULARY.filter((_, n) => pick(n + 1) === 0);
  const webhook = `webhook${pick(7)}`;
  const event = pick(3) === 0 ? null : `event_${pick(3)}`;
  const started = pick(4) === 0;
  const payload = Buffer.from(JSON.stringify({ said: words.join(" "), n: pick(1_000_000) }));
  const runs = started ? [aRun()] : [];
  await store.deliveries.record(
    aDelivery({ id, webhookUid: webhook, identityKey: Buffer.from(id), payload, event, runs }),
  );
  return { id, words, webhook, event, started };
}

/** Every id that is found, over as many pages as it takes. */
async function found({ deliveries }: Store, filter: DeliveryFilter, limit = 50): Promise<string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await deliveries.list({ ...filter, limit, before });
    ids.push(...page.deliveries.map(({ id }) => id));
    if (page.next === null) return ids;
    before = page.next;
  }
}

/** Does what is due, up to so many steps. @returns how many were done */
async function keepUp({ deliverySearch }: Store, steps: number, now = new Date().toISOString()) {
  for (let step = 0; step < steps; step += 1) {
    const due = await deliverySearch.listUpkeep(now);
    if (!due) return step;
    await deliverySearch.keepUp(due);
  }
  return steps;
}

const webhooksOf = (...uids: string[]) => uids.map((uid) => ({ uid, factoryUid: "factory" }));

describe("the search of deliveries", () => {
  test("finds what has every word and fits every filter, also while segments are merged and deliveries deleted", async () => {
    const store = await aStoreOf("factory");
    const pick = numbers(47);
    let given: Given[] = [];
    for (let round = 0; round < 12; round += 1) {
      for (let n = 0; n < 30; n += 1) given.push(await record(store, pick));
      await found(store, { text: "word0" }, 1_000);
      await keepUp(store, pick(4));
      if (round % 4 === 3) {
        const gone = await store.deliveries.forgetDeliveries(
          { factoryUid: "factory", uid: "webhook0" },
          given[pick(given.length)]?.id ?? "",
          20,
          AT,
        );
        given = given.filter(({ id }) => !gone.includes(id));
      }
      const [one, other, rare] = [pick(60), pick(60), 50 + pick(10)];
      const filters: [DeliveryFilter, (each: Given) => boolean][] = [
        [
          { text: `word${one} word${other}` },
          ({ words }) => [one, other].every((n) => words.includes(`word${n}`)),
        ],
        [{ text: `WORD${rare}` }, ({ words }) => words.includes(`word${rare}`)],
        [{ text: "word5*" }, ({ words }) => words.some((word) => word.startsWith("word5"))],
        [{ text: `word${one}`, started: true }, (each) => each.started && each.words.includes(`word${one}`)],
        [
          { text: `word${one}`, started: false },
          (each) => !each.started && each.words.includes(`word${one}`),
        ],
        [{ event: "event_1" }, ({ event }) => event === "event_1"],
        [
          { text: `word${one}`, webhooks: webhooksOf("webhook1", "webhook2"), outcomes: ["Accepted"] },
          ({ words, webhook }) => words.includes(`word${one}`) && ["webhook1", "webhook2"].includes(webhook),
        ],
        [
          { text: "word0", webhooks: webhooksOf(...[1, 2, 3, 4, 5].map((n) => `webhook${n}`)) },
          ({ webhook }) => !["webhook0", "webhook6"].includes(webhook),
        ],
      ];
      for (const [filter, fits] of filters) {
        const expected = given
          .filter(fits)
          .map(({ id }) => id)
          .reverse();
        expect(await found(store, filter, 1 + pick(100)), JSON.stringify(filter)).toEqual(expected);
      }
    }
    await keepUp(store, 1_000);
    const segments = await store.connection.all<{ state: string; deliveries: number }>(
      "SELECT state, deliveries FROM delivery_segments ORDER BY segment",
    );
    expect(segments.every(({ state }) => state === "ready")).toBe(true);
    expect(segments.length).toBeLessThan(17);
    expect(Math.max(...segments.map(({ deliveries }) => deliveries))).toBeGreaterThanOrEqual(256);
    expect(await found(store, { text: "word0" })).toHaveLength(given.length);
  });

  test("segments get the numbers of others again after everything was deleted", async () => {
    const store = await aStoreOf("factory");
    const upkeep = () => keepUp(store, 1_000, "9999");
    /** The first of the 16 segments, which are due to be merged, gets so many deliveries, each other one gets one. */
    const recordInSegments = async (inFirst: number) => {
      const ids: string[] = [];
      for (let n = 0; n < 15 + inFirst; n += 1) {
        const id = newUuid();
        const payload = Buffer.from(JSON.stringify({ said: `number${n}` }));
        await store.deliveries.record(aDelivery({ id, identityKey: Buffer.from(id), payload, runs: [] }));
        if (n >= inFirst - 1) await found(store, { text: "said" });
        ids.push(id);
      }
      await upkeep();
      return ids;
    };
    const before = await recordInSegments(1);
    const { webhookUid: uid, factoryUid } = aDelivery();
    await store.deliveries.forgetDeliveries({ factoryUid, uid }, before.at(-1) ?? "", 100, AT);
    await upkeep();
    const after = await recordInSegments(3);
    for (const n of [1, 9, 17]) expect(await found(store, { text: `number${n}` })).toEqual([after[n]]);
  });

  test("the words of a deleted payload leave the disk, and what is left of the delivery is still found", async () => {
    const store = await aStoreOf("factory");
    const id = newUuid();
    const payload = Buffer.from('{"place":"zanzibar"}');
    await store.deliveries.record(
      aDelivery({ id, identityKey: Buffer.from(id), payload, event: "moved", runs: [] }),
    );
    await store.deliveries.record(aDelivery({ event: "moved" }));
    expect(await found(store, { text: "zanzi*" })).toEqual([id]);
    await store.deliveries.forgetPayload(id);
    expect(await found(store, { text: "zanzibar" })).toEqual([]);
    await keepUp(store, 100, "9999");
    const blocks = await store.connection.all<{ data: Buffer }>("SELECT data FROM delivery_terms");
    expect(blocks.some(({ data }) => data.includes("zanzibar"))).toBe(false);
    expect(await found(store, { event: "moved" })).toHaveLength(2);
    expect(await found(store, { text: id })).toEqual([id]);
    expect(await store.connection.all("SELECT * FROM delivery_search_gone")).toEqual([]);
  });

  test("deliveries from before it existed become findable step by step, the newest first, also over a restart", async () => {
    const store = await aStoreOf("factory");
    const pick = numbers(11);
    const given: Given[] = [];
    for (let n = 0; n < 600; n += 1) given.push(await record(store, pick));
    await store.connection.run(
      "UPDATE delivery_search_progress SET before = '~', seq = (SELECT MAX(seq) FROM changes)",
    );
    const { deliveries, deliverySearch } = store;
    const step = await deliverySearch.listUpkeep(AT);
    // The server ends before the step is carried out: it is prepared again.
    expect(step).toMatchObject({ kind: "old" });
    await keepUp(store, 1, AT);
    const first = await deliveries.list({ text: "word0", limit: 1_000 });
    const newest = given.slice(-first.deliveries.length).reverse();
    expect(first.deliveries.map(({ id }) => id)).toEqual(newest.map(({ id }) => id));
    expect(first.deliveries.length).toBeLessThan(600);
    expect(first.searchedFrom).toMatch(/^20/);
    await keepUp(store, 1_000, AT);
    const all = await deliveries.list({ text: "word0", limit: 1_000 });
    expect([all.deliveries.length, all.searchedFrom]).toEqual([600, undefined]);
  });

  test("reads a bounded number of words that begin alike, and says so", async () => {
    const store = await aStoreOf("factory");
    const payload = Buffer.from(Array.from({ length: 9_000 }, (_, n) => `a${n} b${n}`).join(" "));
    await store.deliveries.record(aDelivery({ payload }));
    expect(await found(store, { text: "a* b*" })).toHaveLength(1);
    const search = (text: string, mostBlocks: number) =>
      searchDeliveries(
        store.connection,
        { text, limit: 10 },
        { before: "~", from: "" },
        async (ids) => new Set(ids),
        mostBlocks,
      );
    expect(await search("a*", 5)).toEqual({ ids: [], next: null, isTooBroad: true });
    expect(await search("a12*", 5)).toMatchObject({ ids: [expect.any(String)] });
    expect(await search("a12", 0)).toMatchObject({ ids: [expect.any(String)] });
  });

  test("takes a bounded number of words of a delivery, and any body", async () => {
    const store = await aStoreOf("factory");
    const words = Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(" ");
    const deep = "[".repeat(50_000);
    const bodies = [words, deep, "\u0000\ud800 caf\u00c9", Buffer.from([255, 254, 0, 1]).toString("latin1")];
    for (const body of bodies) await store.deliveries.record(aDelivery({ payload: Buffer.from(body) }));
    expect(await found(store, { text: "w1 w2" })).toHaveLength(1);
    expect(await found(store, { text: "w19999" })).toHaveLength(0);
    expect(await found(store, { text: "CAFE" })).toHaveLength(1);
  });
});
