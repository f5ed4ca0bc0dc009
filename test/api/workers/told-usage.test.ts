import { expect, test } from "vitest";
import type { Models } from "../../../src/client/client.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { workerTurn } from "../../given/workers.ts";

const shared = sharedByFile(async () => serverWithAgent("process.exit(0)"));

/** A turn that a worker has, and what is known of its usage. */
async function aTurn() {
  const { server } = shared();
  const { worker, turn } = await workerTurn(server);
  return {
    call: (call: string, parameters: object) => worker.call(turn, call, parameters),
    usage: () => server.api<Models["HarnessUsage"]>("GET", `/agent/runs/${turn.id}/harness-usage`),
  };
}

const used = (model: string, changes: object = {}) => ({
  ...{ model, inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 0, costUsd: null },
  ...changes,
});

test("what a worker has measured is priced by the server, and counts until the program tells its usage", async () => {
  const { call, usage } = await aTurn();
  await call("keepUsage", { usage: [used("claude-sonnet-4-5-20250929")], source: "proxy" });
  expect((await usage()).usage).toMatchObject({
    cost_usd: 3,
    turns: [{ cost_source: "priced", source: "proxy" }],
  });
  await call("keepUsage", { usage: [used("claude-sonnet-4-5", { costUsd: 2.5 })] });
  await call("keepUsage", { usage: [used("claude-sonnet-4-5-20250929")], source: "proxy" });
  expect((await usage()).usage).toMatchObject({
    cost_usd: 2.5,
    turns: [{ cost_source: "reported", source: "harness" }],
  });
});

test("what a worker tells of the machine is shown with the run, and is of its own turn", async () => {
  const { call, usage } = await aTurn();
  expect((await call("keepResources", { cpuMs: 1_500.4, peakMemoryBytes: null })).status).toBe(200);
  expect((await usage()).resources).toMatchObject({
    work_seconds: null,
    cpu_seconds: 1.5,
    peak_memory_bytes: null,
    turns: [{ turn: 1, cpu_seconds: 1.5 }],
  });
});

test.each([
  ["keepUsage", { usage: [used("m")], source: "guess" }],
  ["keepResources", { cpuMs: -1, peakMemoryBytes: 0 }],
  ["keepResources", { cpuMs: "many", peakMemoryBytes: 0 }],
])("%s with something else is refused", async (name, parameters) => {
  const { call, usage } = await aTurn();
  expect((await call(name, parameters)).status).toBe(400);
  expect(await usage()).toMatchObject({ available: false });
});

test("numbers without end are stored as large ones, so that sums of them can be made", async () => {
  const { call, usage } = await aTurn();
  const endless = used("m", { inputTokens: 1e300, outputTokens: 0.4, costUsd: 1e300 });
  expect((await call("keepUsage", { usage: [endless] })).status).toBe(200);
  await call("keepResources", { cpuMs: 1e300, peakMemoryBytes: 1e300 });
  expect((await usage()).usage).toMatchObject({ input_tokens: 1e12, output_tokens: 0, cost_usd: 1e9 });
  const { usage: rows } = await shared().server.api<Models["UsageReport"]>("GET", "/usage?group_by=model");
  expect(rows).toContainEqual(expect.objectContaining({ key: "m", input_tokens: 1e12, cost_usd: 1e9 }));
});
