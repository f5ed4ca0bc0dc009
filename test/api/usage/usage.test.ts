import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import type { Server } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

type Models = components["schemas"];

/** Says what claude says of a model with a price of its own, of one that the settings price, and of one that nobody knows. */
const AGENT = `
const used = (costUSD) => ({ inputTokens: 900_000, outputTokens: 100_000, cacheReadInputTokens: 100_000, costUSD });
const modelUsage = { opus: used(0.25), "our-model-20260101": used(), strange: used() };
console.log(JSON.stringify({ type: "result", subtype: "success", result: "Done.", total_cost_usd: 0.25, modelUsage }));`;

const SETTINGS = {
  harnesses: { told: { command: ["node", "agent.mjs"], output: "claude" } },
  prices: { "our-model": { input: 2, output: 10, cached: 1 } },
};
/** 900,000 tokens of input, 100,000 of a cache, and 100,000 of output. */
const PRICED = 1.8 + 0.1 + 1;

function settingsWith(program: string): string[] {
  const path = `${folderWith({ "agent.mjs": program })}/agent.mjs`;
  const told = { ...SETTINGS.harnesses.told, command: [process.execPath, path] };
  const text = JSON.stringify({ ...SETTINGS, harnesses: { told } });
  return ["--config", `${folderWith({ "m.yaml": text })}/m.yaml`];
}

/** Two factories. In "acme", a delivery and a request have each started a run; in "other" a request has. */
const stage = sharedByFile(async () => {
  const automation = automationOn(["ci"]).replace("---\ntriggers", "---\nharness: { type: told }\ntriggers");
  const { server, acme } = await twoFactories(
    { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/triage.md": automation },
    { secrets: { CI_SECRET: "the-token" }, args: settingsWith(AGENT) },
  );
  const story = storyOf(server);
  const { webhooks } = await server.api<{ webhooks: { url: string }[] }>("GET", "/factories/acme/webhooks");
  const delivery = await story.accept(webhooks[0]?.url ?? "", "the-token", "{}");
  const { run_ids } = await server.api<Models["Delivery"]>("GET", `/factories/acme/deliveries/${delivery}`);
  await story.ended(run_ids[0] ?? "");
  const ids: string[] = [];
  for (const agent_identity_uid of [await bossOf(server, "acme"), await bossOf(server, "other")]) {
    const config = { harness: { type: "told" } };
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      ...{ prompt: "Do it.", config, agent_identity_uid },
    });
    await story.ended(run_id);
    ids.push(run_id);
  }
  return { server, acme, ids };
});

async function bossOf(server: Server, factory: string): Promise<string> {
  const { agents } = await server.api<{ agents: { uid: string; factory: string }[] }>(
    "GET",
    "/activity/agents",
  );
  return agents.find((agent) => agent.factory === factory)?.uid ?? "";
}

async function usage(query: string, key?: string): Promise<Models["UsageRow"][]> {
  const { status, body } = await ask<Models["UsageReport"]>(stage().server, "GET", `/usage?${query}`, {
    ...(key === undefined ? {} : { key }),
  });
  expect(status).toBe(200);
  return body.usage;
}

const costOf = (runs: number) => expect.closeTo(runs * (0.25 + PRICED), 6);

describe("usage", () => {
  test("of a time that ends in thousands of years is summed as one that ends now", async () => {
    const rows = await usage("group_by=factory&since=2026-01-01&until=9999-12-31");
    expect(rows.map(({ key }) => key)).toContain("acme");
  });

  test("is summed by automation, which is called by its factory and its name", async () => {
    const rows = await usage("group_by=automation&since=24h");
    const used = (runs: number) => ({
      runs,
      runs_without_usage: 0,
      input_tokens: runs * 3_000_000,
      output_tokens: runs * 300_000,
      cached_tokens: runs * 300_000,
      cost_usd: costOf(runs),
      unpriced_tokens: runs * 1_100_000,
    });
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: "acme/triage", factory: "acme", ...used(1) }),
        expect.objectContaining({ key: "acme/(none)", uid: null, ...used(1) }),
        expect.objectContaining({ key: "other/(none)", ...used(1) }),
      ]),
    );
    expect(rows.every(({ work_seconds }) => (work_seconds ?? 0) > 0)).toBe(true);
  });

  test("is summed by agent and by factory, the costliest first", async () => {
    expect(await usage("group_by=agent")).toMatchObject([
      { key: "acme/boss", runs: 2, cost_usd: costOf(2) },
      { key: "other/boss", runs: 1, cost_usd: costOf(1) },
    ]);
    expect(await usage("group_by=factory")).toMatchObject([
      { key: "acme", runs: 2, uid: stage().acme, factory: null },
      { key: "other", runs: 1 },
    ]);
  });

  test("by model says that the cost of one without a price is unknown, and not zero", async () => {
    const rows = await usage("group_by=model");
    expect(rows).toMatchObject([
      { key: "our-model-20260101", runs: 3, cost_usd: expect.closeTo(3 * PRICED, 6), unpriced_tokens: 0 },
      { key: "opus", runs: 3, cost_usd: expect.closeTo(0.75, 6), unpriced_tokens: 0 },
      { key: "strange", runs: 3, cost_usd: null, unpriced_tokens: 3_300_000, work_seconds: null },
    ]);
  });

  test("by day has the date in UTC as its key", async () => {
    const rows = await usage("group_by=day&since=24h");
    expect(rows.reduce((sum, { input_tokens }) => sum + input_tokens, 0)).toBe(9_000_000);
    for (const { key } of rows) expect(key).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  test("is that of one factory, or of the factories that a key reaches", async () => {
    expect(await usage("group_by=factory&factory=other")).toMatchObject([{ key: "other", runs: 1 }]);
    const key = await aKey(stage().server, { role: "viewer", factories: ["acme"] });
    expect(await usage("group_by=factory", key)).toMatchObject([{ key: "acme", runs: 2 }]);
    expect(await usage("group_by=model", key)).toContainEqual(
      expect.objectContaining({ key: "strange", runs: 2 }),
    );
    for (const path of ["/usage", "/usage/runs"])
      expect((await ask(stage().server, "GET", `${path}?factory=other`, { key })).status).toBe(404);
  });

  test("of a time in which there was none is empty", async () => {
    expect(await usage("since=2020-01-01&until=2020-02-01")).toEqual([]);
    expect(await usage("since=0s")).toEqual([]);
  });

  test.each(["since=yesterday", "until=2026-02-31", "group_by=webhook", "since="])(
    "%s is refused with what was expected",
    async (query) => {
      const { status, body } = await ask(stage().server, "GET", `/usage?${query}`);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toMatch(/expected|at least|one of/i);
    },
  );
});

test("the costliest runs are listed with what they belong to, for the factories that a key reaches", async () => {
  const { server, ids } = stage();
  const runs = async (query: string, key?: string) =>
    (await ask<Models["RunSpendList"]>(server, "GET", `/usage/runs${query}`, key ? { key } : {})).body.runs;
  expect(await runs("?since=24h")).toHaveLength(3);
  const key = await aKey(server, { role: "viewer", factories: ["other"] });
  expect(await runs("", key)).toEqual([
    {
      run_id: ids[1],
      title: expect.any(String),
      state: "SUCCEEDED",
      created_at: expect.any(String),
      factory: "other",
      automation: null,
      agent: "boss",
      input_tokens: 3_000_000,
      output_tokens: 300_000,
      cached_tokens: 300_000,
      cost_usd: costOf(1),
      family_cost_usd: costOf(1),
      unpriced_tokens: 1_100_000,
    },
  ]);
});

test("a run tells where its costs come from, and how long each turn has worked", async () => {
  const { server, ids } = stage();
  const { usage: ofRun, resources } = await server.api<Models["HarnessUsage"]>(
    "GET",
    `/agent/runs/${ids[0]}/harness-usage`,
  );
  expect(ofRun).toMatchObject({ cost_usd: costOf(1), unpriced_tokens: 1_100_000 });
  const sources = ofRun?.turns.map(({ model_id, cost_source, source }) => [model_id, cost_source, source]);
  expect(sources).toEqual([
    ["opus", "reported", "harness"],
    ["our-model-20260101", "priced", "harness"],
    ["strange", null, "harness"],
  ]);
  expect(resources?.work_seconds).toBeGreaterThan(0);
  expect(resources?.turns).toMatchObject([{ turn: 1 }]);
  expect((await server.api<Models["RunItem"]>("GET", `/agent/runs/${ids[0]}`)).resources).toEqual(resources);
});

test("the tokens and the costs of runs are counted in the metrics, and what has no price", async () => {
  const text = await (await stage().server.metrics()).text();
  const of = '{factory="acme",automation="triage"';
  expect(text).toContain(`millrace_run_tokens_total${of},kind="input"} 2700000`);
  expect(text).toContain(`millrace_run_tokens_total${of},kind="cached"} 300000`);
  expect(text).toContain(`millrace_run_tokens_total${of},kind="output"} 300000`);
  expect(text).toMatch(/millrace_run_cost_usd_total\{factory="acme",automation="triage"\} 3\.1/);
  expect(text).toContain(`millrace_run_unpriced_tokens_total${of}} 1100000`);
});
