import { expect, test } from "vitest";
import { isoMilliseconds } from "../../../src/time/duration.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { ADMIN_KEY, run as runProgram, waitFor } from "../../given/server.ts";
import type { Run } from "../../given/story.ts";
import { TELLS_USAGE, tellingHarness } from "../../given/telling-harness.ts";

/** An agent that asks, and goes on when it is answered. */
const ASKS = `
  const { MILLRACE_API_URL: api, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const run = api + "/api/v1/agent/runs/" + id;
  const asks = process.env.MILLRACE_TURN === "1";
  if (asks) await fetch(run + "/blocked", { method: "POST", headers, body: JSON.stringify({ message: "Which one?" }) });
  while (asks && (await (await fetch(run, { headers })).json()).state === "BLOCKED")
    await new Promise((resolve) => setTimeout(resolve, 20));
  ${TELLS_USAGE}`;

test("a run tells how long its agent was alive and worked, what it cost, alone and in a list", async () => {
  const { server, story, start } = await serverWithAgent("", { args: tellingHarness("claude", ASKS) });
  const id = await start({ config: { harness: { type: "told" } } });
  await waitFor(async () => (await story.run(id)).state === "BLOCKED");
  expect((await story.run(id)).work_time).toBeUndefined();
  const asked = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const waited = Date.now() - asked;
  await server.api("POST", `/agent/runs/${id}/followups`, { message: "This one." });
  // The answer begins a turn of its own when the first has ended.
  const run = await waitFor(async () => {
    const { state, ...rest } = await story.run(id);
    return state === "SUCCEEDED" && (await story.timeline(id)).length > 6 ? rest : undefined;
  });
  const [alive, worked] = [isoMilliseconds(run.run_time ?? ""), isoMilliseconds(run.work_time ?? "")];
  expect(alive - worked).toBeGreaterThanOrEqual(waited);
  expect(run.cost_usd).toBeGreaterThan(0);
  const { runs } = await server.api<{ runs: Run[] }>("GET", "/agent/runs");
  const { run_time, work_time, cost_usd } = run;
  expect(runs).toMatchObject([{ run_time, work_time, cost_usd }]);

  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed } = await runProgram(["runs", "get", id], env);
  expect(printed).toMatch(/^took: .*\d s$/m);
  expect(printed).toMatch(/^worked: .*\d m?s$/m);
});

test("a list tells why runs have failed", async () => {
  const { server, run } = await serverWithAgent("console.error('no such model'); process.exit(3)");
  const { run_id } = await run();
  const { runs } = await server.api<{ runs: Run[] }>("GET", "/agent/runs");
  expect(runs).toMatchObject([
    {
      run_id,
      state: "FAILED",
      error_category: "agent_process_failed",
      status_message: { message: expect.stringContaining("exited with code 3: no such model") },
    },
  ]);
});
