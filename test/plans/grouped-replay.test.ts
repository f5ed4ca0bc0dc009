import { describe, expect, test } from "vitest";
import { firstUuidOf } from "../../src/id.ts";
import { comparison } from "../../src/plans/plan-text.ts";
import { createReplay, listenersOf } from "../../src/plans/replay.ts";
import { automationOn, FACTORY, load, TOKEN_WEBHOOK } from "../given/definition.ts";

const START = Date.parse("2026-11-21T10:00:00.000Z");

async function listening(block?: string, webhooks = ["ci"]) {
  const lines = block === undefined ? "" : `millrace: ${block}\n`;
  const { definition } = await load({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "webhooks/other.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(webhooks).replace("---\n", `---\n${lines}`),
  });
  const uids = definition?.webhooks.map((webhook) => ({ uid: `uid-${webhook.name}`, webhook })) ?? [];
  return listenersOf(definition?.automations ?? [], uids);
}

/** Deliveries of three keys in turn, one each second, newest first as the log is read. */
const deliveriesOf = (count: number, size = 10) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: firstUuidOf(START + n * 1_000), webhookUid: "uid-ci" },
    ...{ event: null, payload: { pr: n % 3 }, size },
  })).reverse();

/** Ten of each key. */
const DELIVERIES = deliveriesOf(30);

async function replayed(before: string | undefined, after: string | undefined, deliveries = DELIVERIES) {
  const replay = createReplay(await listening(before), await listening(after));
  for (const each of deliveries) replay.take(each);
  return replay.automations();
}

describe("a plan of an automation with a key", () => {
  test("says how many runs its deliveries would make, and had made", async () => {
    const join =
      '{ concurrency: { key: "{{pr}}", whileRunning: join }, debounce: { quiet: 5s, longest: 15s } }';
    const [traffic] = await replayed(undefined, join);
    expect(traffic).toMatchObject({ before: 30, after: 6, grouped: { deliveries: 30, continued: 0 } });
    expect(traffic && comparison(traffic)).toBe("30 deliveries → 6 runs (was 30)");
  });

  test("says how many deliveries would continue a run", async () => {
    const [traffic] = await replayed(undefined, '{ concurrency: { key: "{{pr}}", whileRunning: continue } }');
    expect(traffic && comparison(traffic)).toBe("30 deliveries → 3 runs (was 30), 27 continued");
  });

  test("counts each delivery that continues a run, also those of one turn", async () => {
    const block =
      '{ concurrency: { key: "{{pr}}", whileRunning: continue }, debounce: { quiet: 5s, longest: 15s } }';
    const [traffic] = await replayed(undefined, block);
    // The first five of each key are its run, and the others its second turn.
    expect(traffic && comparison(traffic)).toBe("30 deliveries → 3 runs (was 30), 15 continued");
  });

  test.each(["join", "continue"])(
    "counts another run for those beyond the 500th, with %s",
    async (policy) => {
      const block = `{ concurrency: { key: "{{pr}}", whileRunning: ${policy} }, debounce: { quiet: 5s, longest: 1h } }`;
      const [traffic] = await replayed(undefined, block, deliveriesOf(3 * 501));
      expect(traffic).toMatchObject({ before: 1_503, after: 6, grouped: { continued: 0 } });
    },
  );

  test("counts another run for bodies beyond 64 MiB", async () => {
    const block =
      '{ concurrency: { key: "{{pr}}", whileRunning: join }, debounce: { quiet: 5s, longest: 1h } }';
    const [traffic] = await replayed(undefined, block, deliveriesOf(30, 8 * 1024 * 1024));
    expect(traffic).toMatchObject({ before: 30, after: 6 });
  });

  test("has nothing to say where nothing changes", async () => {
    const block = '{ concurrency: { key: "{{pr}}", whileRunning: replace }, debounce: { quiet: 5s } }';
    const [traffic] = await replayed(block, block);
    expect(traffic).toMatchObject({ before: traffic?.after, starts: [], stops: [] });
  });

  test("knows the key also of an automation that listens at other webhooks by then", async () => {
    const block = '{ concurrency: { key: "{{pr}}", whileRunning: continue } }';
    const replay = createReplay(await listening(undefined, ["other"]), await listening(block, ["ci"]));
    for (const each of DELIVERIES) replay.take(each);
    expect(replay.automations()[0]).toMatchObject({
      before: 0,
      after: 3,
      grouped: { deliveries: 30, continued: 27 },
    });
  });
});
