import { beforeAll, expect, test } from "vitest";
import { planChanges, resourcesAfter } from "../../src/definitions/changes/plan.ts";
import { firstUuidOf } from "../../src/id.ts";
import { listenersOf } from "../../src/plans/replay.ts";
import type { replayTraffic } from "../../src/plans/replay-traffic.ts";
import { type Draft, guard } from "../../src/reconcile/steps.ts";
import type { Subject } from "../../src/reconcile/subject.ts";
import { automationOn, FACTORY, load, TOKEN_WEBHOOK, treeOf } from "../given/definition.ts";
import { aStoreOf } from "../given/factory.ts";
import type { Files } from "../given/folder.ts";
import { AT, aDelivery } from "../given/store.ts";

const now = () => new Date(AT);
const WEEK_MS = 7 * 24 * 60 * 60_000;
/** Four webhooks, so that one less is not suspicious by itself. */
const NAMES = ["border", "older", "stays", "rests"];
const webhooks = (names: string[]) =>
  Object.fromEntries(names.map((name) => [`webhooks/${name}.yaml`, TOKEN_WEBHOOK]));
const ALL = { ...FACTORY, ...webhooks(NAMES), "automations/a.md": automationOn(["border", "older"]) };

/** Threads are programs of the build. */
let replay: typeof replayTraffic;
beforeAll(async () => {
  ({ replayTraffic: replay } = await import("../../dist/plans/replay-traffic.js" as string));
});

async function definitionOf(files: Files) {
  const loaded = await load(files);
  if (!loaded.definition) throw new Error(JSON.stringify(loaded.problems));
  return { ...loaded, definition: loaded.definition };
}

/** A store in which one webhook had its delivery a week ago to the millisecond, and another one a millisecond before that. */
async function delivered() {
  const { deliveries } = await aStoreOf("factory");
  const taken = async (webhookUid: string, instant: number) => {
    const id = firstUuidOf(instant);
    return deliveries.record(aDelivery({ id, webhookUid, time: new Date(instant).toISOString() }));
  };
  await taken("uid-border", Date.parse(AT) - WEEK_MS);
  await taken("uid-older", Date.parse(AT) - WEEK_MS - 1);
  return deliveries;
}

test("the prune guard takes a webhook for used that had a delivery within seven days, and for unused after that", async () => {
  const deliveries = await delivered();
  const { definition: before } = await definitionOf(ALL);
  const made = planChanges([], before).changes;
  const uids = Object.fromEntries(made.map(({ kind, name }) => [`${kind}/${name}`, `uid-${name}`]));
  const stored = resourcesAfter([], made, uids, AT);
  const warningsWithout = async (gone: string) => {
    const files = { ...FACTORY, ...webhooks(NAMES.filter((name) => name !== gone)) };
    const { definition, locate } = await definitionOf(files);
    const { changes } = planChanges(stored, definition, locate);
    const draft = { definition, stored, changes } as unknown as Draft;
    const asked = { request: {}, factory: { uid: "factory" } } as unknown as Subject;
    const parts = { lastDelivered: deliveries.findLastDelivered, now };
    const { warnings } = await guard(draft, treeOf(files), { locate }, asked, parts);
    return warnings.map(({ code, path }) => `${code} ${path}`);
  };
  expect(await warningsWithout("border")).toEqual(["deletes_used_webhook webhooks/border.yaml"]);
  expect(await warningsWithout("older")).toEqual([]);
});

test("a plan holds the deliveries of seven days against both definitions, and none before them", async () => {
  const deliveries = await delivered();
  const { definition } = await definitionOf(ALL);
  const served = definition.webhooks.map((webhook) => ({ uid: `uid-${webhook.name}`, webhook }));
  const listeners = listenersOf(definition.automations, served);
  const traffic = await replay(
    { factoryUid: "factory", before: listeners, after: listeners },
    { deliveries, now },
  );
  expect(traffic).toMatchObject({
    since: new Date(Date.parse(AT) - WEEK_MS).toISOString(),
    deliveries: 1,
    complete: true,
    automations: [{ name: "a", before: 1, after: 1 }],
  });
});
