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

/** Ten deliveries of each of three keys, one each second, newest first as the log is read. */
const DELIVERIES = Array.from({ length: 30 }, (_, n) => ({
  id: firstUuidOf(START + n * 1_000),
  webhookUid: "uid-ci",
  event: null,
  payload: { pr: n % 3 },
})).reverse();

async function replayed(before: string | undefined, after: string | undefined) {
  const replay = createReplay(await listening(before), await listening(after));
  for (const each of DELIVERIES) replay.take(each);
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
