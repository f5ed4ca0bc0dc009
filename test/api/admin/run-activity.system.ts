import { expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { automationOn, automationWith, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { type Server, waitFor } from "../../given/server.ts";
import { serving, twoFactories } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

type Models = components["schemas"];

const TOKEN = "the-token";
const FILES = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };
/** Fails for a delivery that says so. */
const AGENT = `
  import { readFileSync } from "node:fs";
  process.exit(readFileSync(process.env.MILLRACE_PAYLOAD_FILE, "utf8").includes("fail") ? 1 : 0);`;

async function read<Name extends "webhooks" | "automations" | "agents">(
  server: Server,
  what: string,
  key?: string,
): Promise<
  Models[`${Name extends "webhooks" ? "Webhook" : Name extends "agents" ? "Agent" : "Automation"}ActivityList`]
> {
  const answer = await ask(server, "GET", `/activity/${what}`, key === undefined ? {} : { key });
  expect(answer.status).toBe(200);
  return answer.body as never;
}

test("an automation, its webhook and its agent show the last run, the success rate and the counts of the day", async () => {
  const { server, story } = await serving({ ...FACTORY, ...FILES }, { CI_SECRET: TOKEN }, { agent: AGENT });
  const { url, uid } = await story.webhook("ci");
  const before = await read<"automations">(server, "automations");
  expect(before.automations).toMatchObject([
    { name: "a", factory: "acme", last_run: null, success_rate: null, next_fire_at: null },
  ]);
  await story.endedRunOf(await story.accept(url, TOKEN, '{"n":1}'));
  await story.accept(url, TOKEN, '{"n":1}');
  await story.deliver(url, "wrong", '{"n":2}');
  const delivery = await story.accept(url, TOKEN, '{"fail":true}');
  const last = await story.endedRunOf(delivery);
  const summary = {
    last_run: { run_id: last.run_id, state: "FAILED", delivery_id: delivery, pull_request_url: null },
    ended_runs: { succeeded: 1, failed: 1, cancelled: 0 },
    success_rate: 0.5,
  };
  const { since, automations } = await read<"automations">(server, "automations?factory=acme");
  expect(automations).toMatchObject([{ name: "a", ...summary }]);
  expect(sum(automations[0]?.runs)).toBe(2);
  expect(sum(automations[0]?.runs_failed)).toBe(1);
  expect(Date.now() - Date.parse(since)).toBeGreaterThan(23 * 3_600_000);

  const { webhooks } = await read<"webhooks">(server, `webhooks?details=true&uid=${uid}`);
  expect(webhooks).toMatchObject([
    { name: "ci", refuses_all: false, dropped: { over_budget: 0, blocked: 0 }, ...summary },
  ]);
  const { accepted, duplicates, rejected } = webhooks[0]?.hours ?? {};
  expect([sum(accepted), sum(duplicates), sum(rejected)]).toEqual([2, 1, 1]);
  expect((await read<"webhooks">(server, "webhooks")).webhooks[0]).not.toHaveProperty("last_run");

  const { agents } = await read<"agents">(server, "agents");
  const boss = agents.find(({ name }) => name === "boss");
  expect(boss).toMatchObject({ factory: "acme", ...summary, runs: 2 });
});

test("a key of one factory sees nothing of how the runs of another went", async () => {
  const { server, acme, other } = await twoFactories(FILES, { secrets: { CI_SECRET: TOKEN } });
  const { webhooks } = await server.api<Models["WebhookList"]>("GET", `/factories/${acme}/webhooks`);
  await storyOf(server).accept(webhooks[0]?.url ?? "", TOKEN, '{"n":1}');
  const seenBy = async (factory: string) => {
    const key = await aKey(server, { factories: [factory] });
    const seen = {
      webhooks: (await read<"webhooks">(server, "webhooks?details=true", key)).webhooks,
      automations: (await read<"automations">(server, "automations", key)).automations,
      agents: (await read<"agents">(server, "agents", key)).agents,
    };
    for (const each of Object.values(seen).flat()) expect(each.factory_uid).toBe(factory);
    return seen;
  };
  const own = await waitFor(async () => {
    const seen = await seenBy(acme);
    return seen.automations[0]?.last_run ? seen : undefined;
  });
  expect(own.webhooks[0]?.last_run).not.toBeNull();
  expect(own.agents[0]?.runs).toBe(1);
  const others = await seenBy(other);
  expect(others.automations[0]).toMatchObject({ last_run: null, success_rate: null });
  expect(others.webhooks[0]).toMatchObject({ latest: [], last_run: null });
  expect(others.agents[0]).toMatchObject({ last_run: null, runs: 0 });
  const key = await aKey(server, { factories: [other] });
  for (const what of ["automations", "webhooks"])
    expect((await ask(server, "GET", `/activity/${what}?factory=${acme}`, { key })).status).toBe(404);
});

test("only automations with a schedule are listed when asked for, with their crons and the next time", async () => {
  const nightly = automationWith(`triggers:
  - { provider: schedule, event: cron_fired, schedule: { cron: "@daily", name: tidy } }
millrace: { missed: once }`);
  const { server } = await serving(
    { ...FACTORY, ...FILES, "automations/nightly.md": nightly },
    { CI_SECRET: TOKEN },
  );
  const { automations } = await read<"automations">(server, "automations?scheduled=true");
  expect(automations).toMatchObject([
    { name: "nightly", enabled: true, missed: "once", schedules: [{ cron: "@daily", name: "tidy" }] },
  ]);
  expect(Date.parse(automations[0]?.next_fire_at ?? "")).toBeGreaterThan(Date.now());
});

test("a webhook whose last twenty deliveries were rejected within an hour is said to refuse all", async () => {
  const { server, story } = await serving({ ...FACTORY, ...FILES }, { CI_SECRET: TOKEN });
  const { url } = await story.webhook("ci");
  await story.accept(url, TOKEN, '{"n":1}');
  const refusesAll = async () => (await read<"webhooks">(server, "webhooks")).webhooks[0]?.refuses_all;
  for (let n = 0; n < 19; n += 1) await story.deliver(url, "wrong", "{}");
  expect(await refusesAll()).toBe(false);
  await story.deliver(url, "wrong", "{}");
  expect(await refusesAll()).toBe(true);
});

const sum = (counts: readonly number[] = []) => counts.reduce((total, each) => total + each, 0);
