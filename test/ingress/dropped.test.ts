import { expect, test } from "vitest";
import type { components } from "../../src/client/api-types.ts";
import { countDropped } from "../../src/ingress/dropped.ts";
import { blocked, overBudget, tooManyRefusals } from "../../src/ingress/refusal.ts";
import type { IngressWebhook } from "../../src/ingress/webhook-table.ts";
import { silentLog } from "../../src/log.ts";
import { aKey, ask } from "../given/ask.ts";
import { onFinished } from "../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { ADMIN_KEY, type Server } from "../given/server.ts";
import { serving, twoFactories } from "../given/serving.ts";
import { aStore } from "../given/store.ts";
import { storyOf } from "../given/story.ts";

type Models = components["schemas"];

const TOKEN = "the-token";
const CI = { uid: "ci", name: "ci", factoryUid: "factory" } as IngressWebhook;

test("what a webhook's budget and a blocked address refuse is shown by the webhook, in the metrics and once in the log", async () => {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "webhooks/cd.yaml": TOKEN_WEBHOOK };
  const { server, story } = await serving(
    files,
    { CI_SECRET: TOKEN },
    { env: { MILLRACE_DELIVERIES_PER_MINUTE: "2", MILLRACE_FAILED_AUTH_PER_MINUTE: "3" } },
  );
  const ci = await story.webhook("ci");
  expect(ci.dropped).toEqual([]);
  for (let n = 0; n < 5; n += 1) await story.deliver(ci.url, TOKEN, `{"n":${n}}`);
  for (let n = 0; n < 5; n += 1) await story.deliver(ci.url, "wrong", "{}");
  const { dropped } = await story.webhook("ci");
  const sum = (key: "over_budget" | "blocked") => dropped.reduce((total, each) => total + each[key], 0);
  expect([sum("over_budget"), sum("blocked")]).toEqual([3, 2]);
  expect(dropped.at(-1)?.hour).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
  expect((await story.webhook("cd")).dropped).toEqual([]);
  expect(await droppedPerHour(server)).toEqual({ over_budget: 3, blocked: 2 });
  expect(await droppedPerHour(server, { query: "?factory=acme" })).toEqual({ over_budget: 3, blocked: 2 });
  expect(await story.deliveries(ci.uid)).toHaveLength(5);
  const answer = await server.fetch("/metrics", { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
  const metrics = await answer.text();
  expect(metrics).toContain(
    'millrace_ingress_dropped_total{factory="acme",webhook="ci",reason="over_budget"} 3',
  );
  expect(metrics).toContain('millrace_ingress_dropped_total{factory="acme",webhook="ci",reason="blocked"} 2');
  const warnings = server
    .log()
    .split("\n")
    .filter((line) => line.includes("refused without a record"));
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", webhook: "ci", over_budget: 1, blocked: 0 },
  ]);
});

/** The sums of all hours. */
async function droppedPerHour(server: Server, options: { query?: string; key?: string } = {}) {
  const { query = "", ...caller } = options;
  const { body } = await ask<Models["Activity"]>(server, "GET", `/activity${query}`, caller);
  const sum = (key: "over_budget" | "blocked") => body.hours.reduce((total, hour) => total + hour[key], 0);
  return { over_budget: sum("over_budget"), blocked: sum("blocked") };
}

test("a key sees what was dropped in the factories that it reaches, and nothing of others", async () => {
  const { server, acme, other } = await twoFactories(
    { "webhooks/ci.yaml": TOKEN_WEBHOOK },
    { secrets: { CI_SECRET: TOKEN }, env: { MILLRACE_DELIVERIES_PER_MINUTE: "1" } },
  );
  const { webhooks } = await server.api<Models["WebhookList"]>("GET", `/factories/${acme}/webhooks`);
  for (let n = 0; n < 3; n += 1) await storyOf(server).deliver(webhooks[0]?.url ?? "", TOKEN, `{"n":${n}}`);
  const seenBy = async (factory: string) =>
    droppedPerHour(server, { key: await aKey(server, { factories: [factory] }) });
  expect(await seenBy(acme)).toEqual({ over_budget: 2, blocked: 0 });
  expect(await seenBy(other)).toEqual({ over_budget: 0, blocked: 0 });
});

/** A counter over a store whose clock the test moves. */
async function aCounter() {
  const { deliveries } = await aStore();
  const clock = { now: new Date("2026-11-21T10:59:00.000Z") };
  const saved: number[] = [];
  let isFull = false;
  const open = () => {
    const counter = countDropped({
      store: {
        listDropped: deliveries.listDropped,
        listDroppedByFactory: deliveries.listDroppedByFactory,
        saveDropped(counts, before) {
          saved.push(counts.length);
          return isFull
            ? Promise.reject(new Error("the disk is full"))
            : deliveries.saveDropped(counts, before);
        },
      },
      onDropped() {},
      log: silentLog,
      now: () => clock.now,
    });
    onFinished(() => counter.stop());
    return counter;
  };
  const sums = async (counter: ReturnType<typeof open>) =>
    (await counter.ofFactories()).sort((a, b) => a.hour.localeCompare(b.hour));
  return {
    open,
    /** What it counted by factory, oldest first. */
    sums,
    clock,
    saved,
    fill: (full: boolean) => {
      isFull = full;
    },
  };
}

test("counts are kept by the hour over a restart, for a day", async () => {
  const { open, clock } = await aCounter();
  const first = open();
  first.count(CI, overBudget(60, 1));
  first.count(CI, tooManyRefusals(1));
  clock.now = new Date("2026-11-21T11:00:00.000Z");
  first.count(CI, blocked(1));
  first.count(CI, new Error("another"));
  await first.stop();
  const hours = [
    { hour: "2026-11-21T10:00:00.000Z", overBudget: 2, blocked: 0 },
    { hour: "2026-11-21T11:00:00.000Z", overBudget: 0, blocked: 1 },
  ];
  const second = open();
  expect(await second.of(CI)).toEqual(hours);
  expect(await second.of({ ...CI, factoryUid: "another" })).toEqual([]);
  second.count(CI, blocked(1));
  await second.stop();
  expect(await open().of(CI)).toEqual([hours[0], { ...hours[1], blocked: 2 }]);
  clock.now = new Date("2026-11-22T11:30:00.000Z");
  expect(await open().of(CI)).toEqual([{ ...hours[1], blocked: 2 }]);
});

test("the sums of a factory are kept by the hour over a restart, for 31 days", async () => {
  const { open, sums, clock } = await aCounter();
  const first = open();
  first.count(CI, overBudget(60, 1));
  first.count({ ...CI, uid: "cd" }, overBudget(60, 1));
  await first.stop();
  const hour = { factoryUid: "factory", hour: "2026-11-21T10:00:00.000Z", overBudget: 2, blocked: 0 };
  clock.now = new Date("2026-11-30T10:00:00.000Z");
  const second = open();
  expect(await sums(second)).toEqual([hour]);
  expect(await second.of(CI)).toEqual([]);
  second.count(CI, blocked(1));
  const later = { ...hour, hour: "2026-11-30T10:00:00.000Z", overBudget: 0, blocked: 1 };
  expect(await sums(second)).toEqual([hour, later]);
  await second.stop();
  clock.now = new Date("2026-12-22T11:00:00.000Z");
  const third = open();
  third.count(CI, blocked(1));
  await third.stop();
  const last = { ...later, hour: "2026-12-22T11:00:00.000Z" };
  expect(await sums(open())).toEqual([later, last]);
});

test("a thousand refusals cost one write, which is made up for when the disk was full", async () => {
  const { open, saved, fill } = await aCounter();
  const counter = open();
  await counter.of(CI);
  fill(true);
  for (let n = 0; n < 1_000; n += 1) counter.count(CI, blocked(1));
  await counter.stop();
  expect(saved).toEqual([1]);
  fill(false);
  await counter.stop();
  expect((await open().of(CI))[0]).toMatchObject({ blocked: 1_000 });
});
