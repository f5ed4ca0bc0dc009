import { describe, expect, test } from "vitest";
import type { OutboundEvent } from "../../src/config/outbound-events.ts";
import { readEvents } from "../../src/messages/outbound-events.ts";
import { listOutboundTargets } from "../../src/messages/target.ts";
import { recordChange } from "../../src/store/changes/change-store.ts";
import { aFactory } from "../given/factory.ts";
import { AT, aStore } from "../given/store.ts";

/** What reads a log of refused deliveries for an outbound webhook, where each delivery is as large as said. */
async function reading({
  refusals,
  bytes,
  filter = {},
  ofFactory = 0,
}: {
  refusals: number;
  bytes: number;
  filter?: object;
  /** How many outbound webhooks a factory has in place of the one of the settings. */
  ofFactory?: number;
}) {
  const { outbound, connection } = await aStore();
  const record = aFactory("acme");
  const factoryUid = ofFactory > 0 ? record.uid : null;
  const refused = { kind: "delivery", factoryUid, webhookUid: null, status: "Rejected (auth)", at: AT };
  for (let n = 0; n < refusals; n += 1)
    await recordChange(connection, { ...refused, subject: `d${n}` } as never);
  const common = { url: "http://127.0.0.1/", events: ["delivery.refused"] as OutboundEvent[], filter };
  const outbounds = Array.from({ length: ofFactory }, (_, n) => ({
    ...{ ...common, name: `o${n}`, path: `outbound/o${n}.yaml`, secretName: "SECRET" },
    ...{ enabled: true, ordered: false },
  }));
  const factory = { record, sourceName: "acme", active: { definition: { outbound: outbounds } } };
  const targets = listOutboundTargets(
    ofFactory > 0 ? [] : [{ ...common, name: "audit", secret: { env: "SECRET" } }],
    ofFactory > 0 ? [factory as never] : [],
  );
  let dropped = 0;
  const reader = readEvents(
    {
      store: outbound,
      factories: { find: () => (ofFactory > 0 ? (factory as never) : undefined) },
      resources: {
        read: async ({ subject }) => ({ data: { delivery_id: subject, text: "x".repeat(bytes) } }),
      },
      onDropped: (count) => {
        dropped += count;
      },
      now: () => new Date(AT),
    },
    () => targets,
  );
  return { reader, dropped: () => dropped };
}

describe("the events that are read together", () => {
  test("are no more than can be written at once, and the others follow in their order", async () => {
    const { reader } = await reading({ refusals: 100, bytes: 200 * 1024 });
    const sizes: number[] = [];
    const subjects: unknown[] = [];
    let after = 0;
    for (let isMore = true; isMore; ) {
      const { upTo, isCut = false, messages } = await reader.read(after, 200);
      sizes.push(Buffer.byteLength(JSON.stringify(messages)));
      subjects.push(...messages.map(({ content }) => (content.data as { delivery_id: string }).delivery_id));
      after = upTo;
      isMore = isCut;
    }
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(9 * 1024 * 1024);
    expect(subjects).toEqual(Array.from({ length: 100 }, (_, n) => `d${n}`));
  });

  test("are at most 1,000 refusals an hour that the filter matches; the others do not count", async () => {
    const matching = { data: { delivery_id: ["d1500"] } };
    const filtered = await reading({ refusals: 1_600, bytes: 0, filter: matching });
    const { messages } = await filtered.reader.read(0, 2_000);
    expect(messages.map(({ cause }) => cause)).toEqual(["delivery:d1500"]);
    expect(filtered.dropped()).toBe(0);
    const all = await reading({ refusals: 1_100, bytes: 0 });
    expect((await all.reader.read(0, 2_000)).messages).toHaveLength(1_000);
    expect(all.dropped()).toBe(100);
  });

  test("are at most 4,000 refusals an hour for all outbound webhooks of a factory", async () => {
    const { reader, dropped } = await reading({ refusals: 600, bytes: 0, ofFactory: 12 });
    const { messages } = await reader.read(0, 2_000);
    expect(messages).toHaveLength(4_000);
    expect(dropped()).toBe(600 * 12 - 4_000);
  });
});
