import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplay, listenersOf, type StoredDelivery } from "../../src/plans/replay.ts";
import {
  automationOn,
  automationWith,
  FACTORY,
  load,
  signatureWebhook,
  TOKEN_WEBHOOK,
} from "../given/definition.ts";
import type { Files } from "../given/folder.ts";

/** Who listens in a tree; a webhook's uid is made of its name. */
async function listening(files: Files) {
  const { definition, problems } = await load({ ...FACTORY, ...files });
  if (!definition) throw new Error(JSON.stringify(problems));
  const webhooks = definition.webhooks.map((webhook) => ({ uid: `uid-${webhook.name}`, webhook }));
  return listenersOf(definition.automations, webhooks);
}

const delivery = (
  id: string,
  payload: unknown,
  webhook = "ci",
  event: string | null = null,
): StoredDelivery => ({
  id,
  webhookUid: `uid-${webhook}`,
  event,
  payload,
  size: 10,
});

const ci = { "webhooks/ci.yaml": TOKEN_WEBHOOK };
const onKind = (...kinds: string[]) => ({ ...ci, "automations/a.md": automationOn(["ci"], { kind: kinds }) });

async function replayed(before: Files, after: Files, deliveries: StoredDelivery[]) {
  const replay = createReplay(await listening(before), await listening(after));
  for (const each of deliveries) replay.take(each);
  return replay.automations();
}

describe("deliveries replayed against two definitions", () => {
  test("show how many runs each automation would have started, with the newest examples", async () => {
    const deliveries = Array.from({ length: 9 }, (_, n) =>
      delivery(`d${n}`, { kind: n < 2 ? "old" : "new" }),
    );
    expect(await replayed(onKind("old"), onKind("new"), deliveries)).toEqual([
      { name: "a", before: 2, after: 7, starts: ["d8", "d7", "d6", "d5", "d4"], stops: ["d1", "d0"] },
    ]);
  });

  test("show what other deliveries start, also when their number is the same", async () => {
    const deliveries = [delivery("d1", { kind: "old" }), delivery("d2", { kind: "new" })];
    expect(await replayed(onKind("old"), onKind("new"), deliveries)).toEqual([
      { name: "a", before: 1, after: 1, starts: ["d2"], stops: ["d1"] },
    ]);
  });

  test("that start nothing on either side are not reported", async () => {
    expect(await replayed(onKind("a"), onKind("b"), [delivery("d1", { kind: "c" })])).toEqual([]);
  });

  test("count an automation that is added, removed, or switched off", async () => {
    const off = {
      ...ci,
      "automations/a.md": automationOn(["ci"]).replace("triggers:", "enabled: false\ntriggers:"),
    };
    const on = { ...ci, "automations/a.md": automationOn(["ci"]) };
    const one = [delivery("d1", {})];
    const only = { name: "a", starts: [], stops: [] };
    expect(await replayed(ci, on, one)).toEqual([{ ...only, before: 0, after: 1, starts: ["d1"] }]);
    expect(await replayed(on, ci, one)).toEqual([{ ...only, before: 1, after: 0, stops: ["d1"] }]);
    expect(await replayed(on, off, one)).toEqual([{ ...only, before: 1, after: 0, stops: ["d1"] }]);
  });

  test("do not reach a webhook that is renamed or disabled: their senders would get 404", async () => {
    const before = { ...ci, "automations/a.md": automationOn(["ci"]) };
    const renamed = { "webhooks/builds.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["builds"]) };
    const disabled = { ...before, "webhooks/ci.yaml": `${TOKEN_WEBHOOK}enabled: false\n` };
    for (const after of [renamed, disabled]) {
      expect(await replayed(before, after, [delivery("d1", {})])).toMatchObject([{ before: 1, after: 0 }]);
    }
  });

  test("start triggers of GitHub by their header and body", async () => {
    const github = (branch: string) => ({
      "webhooks/gh.yaml": signatureWebhook("github", "GH"),
      "automations/a.md": automationWith(
        `triggers: [{ provider: github, event: push, filter: { branches: [${branch}] } }]`,
      ),
    });
    const push = delivery(
      "d1",
      { ref: "refs/heads/main", commits: [], repository: { full_name: "acme/shop" } },
      "gh",
      "push",
    );
    expect(await replayed(github("main"), github("next"), [push])).toMatchObject([{ before: 1, after: 0 }]);
  });

  test("have the same result with the same definition, whatever is delivered", async () => {
    const listeners = await listening(onKind("a", "b"));
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (payloads) => {
        const replay = createReplay(listeners, listeners);
        for (const [n, payload] of payloads.entries()) replay.take(delivery(`d${n}`, payload));
        for (const { before, after, starts, stops } of replay.automations()) {
          expect([after, starts, stops]).toEqual([before, [], []]);
        }
      }),
    );
  });
});
