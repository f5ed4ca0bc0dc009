import { rmSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createRunMetrics } from "../../../src/api/admin/run-metrics.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { automationOn, TOKEN_WEBHOOK } from "../../given/definition.ts";

const FILES = {
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"]),
  "automations/b.md": automationOn(["ci"]),
};

test("metrics count runs by factory, automation and result, with how long they waited and worked", async () => {
  const { server, story, run, source } = await serverWithAgent("process.exit(3)", { files: FILES });
  await story.setSecret("CI_SECRET", "the-token");
  await story.sync();
  await story.accept(await story.urlOf("ci"), "the-token", "{}");
  await run();
  const metric = async () => (await (await server.metrics()).text()).split("\n");
  await expect
    .poll(metric)
    .toEqual(
      expect.arrayContaining([
        'millrace_runs_ended_total{factory="acme",automation="a",result="FAILED"} 1',
        'millrace_runs_ended_total{factory="acme",automation="b",result="FAILED"} 1',
        'millrace_runs_ended_total{factory="acme",automation="(none)",result="FAILED"} 1',
        'millrace_run_wait_seconds_count{factory="acme",automation="a"} 1',
        'millrace_run_duration_seconds_count{factory="acme",automation="a",result="FAILED"} 1',
        expect.stringMatching(
          /^millrace_build_info\{version="\d+\.\d+\.\d+",commit="\w*",node="v\d+[\d.]*"\} 1$/,
        ),
        expect.stringMatching(/^millrace_data_folder_bytes\{part="database"\} [1-9]\d+$/),
        expect.stringMatching(/^millrace_disk_free_bytes\{volume="[^"]+"\} [1-9]\d+$/),
      ]),
    );
  rmSync(join(source, "automations/b.md"));
  await story.sync();
  const lines = (await metric()).filter((line) => line.includes('automation="b"'));
  expect(lines).toEqual([]);
  expect((await metric()).join("\n")).toContain('automation="a"');
});

test("a run that is cancelled while it waits is counted", async () => {
  const { server, start, story } = await serverWithAgent("setInterval(() => {}, 1000);", {
    env: { MILLRACE_RUN_CONCURRENCY: "1" },
  });
  const first = await start();
  await expect.poll(async () => (await story.run(first)).state).toBe("INPROGRESS");
  const second = await start();
  await server.api("POST", `/agent/runs/${second}/cancel`);
  expect(await (await server.metrics()).text()).toContain(
    'millrace_runs_ended_total{factory="acme",automation="(none)",result="CANCELLED"} 1',
  );
});

test("runs that wait for an answer are counted when they are dismissed, by themselves or with their task", async () => {
  const ASKS = `
    const { MILLRACE_API_URL: api, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
    await fetch(\`\${api}/api/v1/agent/runs/\${id}/blocked\`, {
      method: "POST",
      headers: { authorization: \`Bearer \${token}\` },
      body: JSON.stringify({ message: "Which one?" }),
    });`;
  const { server, start, story } = await serverWithAgent(ASKS);
  const isAsleep = (id: string) =>
    expect.poll(() => story.run(id)).toMatchObject({ state: "BLOCKED", is_sandbox_running: false });
  const ended = async (result: string) =>
    (await (await server.metrics()).text()).match(
      new RegExp(`millrace_runs_ended_total\\{.*result="${result}"\\} (\\d+)`),
    )?.[1];

  const alone = await start();
  await isAsleep(alone);
  await server.api("POST", `/agent/runs/${alone}/dismiss`);
  expect((await story.run(alone)).state).toBe("CANCELLED");
  expect(await ended("CANCELLED")).toBe("1");

  const { run_id, task_uid } = await server.api<{ run_id: string; task_uid: string }>(
    "POST",
    "/factory/acme/runs",
    { prompt: "Ask." },
  );
  await isAsleep(run_id);
  await server.api("POST", `/factory/acme/tasks/${task_uid}/cancel`);
  expect((await story.run(run_id)).state).toBe("CANCELLED");
  expect(await ended("CANCELLED")).toBe("2");
});

test("a thousand automations and factories have a bounded number of series, and deleted ones have none", async () => {
  const registry = new Registry();
  const metrics = createRunMetrics(registry);
  const runs = Array.from({ length: 1_000 }, (_, n) => ({
    factoryUid: `f${n % 400}`,
    automationUid: `a${n}`,
  }));
  const find = (uid: string) => ({
    record: { name: `factory-${uid}` },
    active: {
      resources: runs.map(({ automationUid }) => ({
        kind: "automation",
        uid: automationUid,
        name: automationUid,
      })),
    },
  });
  metrics.nameBy({ find: find as never });
  const usage = { model: "m", inputTokens: 3, outputTokens: 1, cachedTokens: 1 };
  for (const run of runs) {
    metrics.ended(run, "SUCCEEDED", 1_000);
    metrics.used(run, [{ ...usage, costUsd: 0.5, costSource: "priced" }]);
    metrics.used(run, [{ ...usage, costUsd: null, costSource: null }]);
  }
  const series = async () =>
    (await registry.metrics()).split("\n").filter((line) => line.startsWith("millrace_runs_ended_total{"));
  const all = await series();
  expect(all.length).toBeLessThanOrEqual(201);
  expect(all).toContain(
    'millrace_runs_ended_total{factory="factory-f0",automation="a0",result="SUCCEEDED"} 1',
  );
  expect(all.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0)).toBe(1_000);
  const sum = async (name: string) =>
    (await registry.metrics())
      .split("\n")
      .filter((line) => line.startsWith(name))
      .reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
  expect(await sum("millrace_run_cost_usd_total{")).toBe(500);
  expect(await sum("millrace_run_tokens_total{")).toBe(8_000);
  expect(await sum("millrace_run_unpriced_tokens_total{")).toBe(4_000);
  metrics.forgetDeleted({ find: () => undefined });
  const left = (await registry.metrics())
    .split("\n")
    .filter((line) => line.startsWith("millrace_run_") && line.includes("{") && !line.includes('"(other)"'));
  expect(left).toEqual([]);
  expect(await series()).toEqual([
    expect.stringContaining('{factory="(other)",automation="(other)",result="SUCCEEDED"}'),
  ]);
});
