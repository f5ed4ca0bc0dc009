import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ADMIN_KEY, run as runProgram, waitFor } from "../../given/server.ts";

const ASKING = `
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  await fetch(url + "/api/v1/agent/runs/" + id + "/blocked",
    { method: "POST", headers, body: JSON.stringify({ message: "Which one?" }) });`;

test("`runs dismiss` ends a blocked run, and `runs get` shows its conversation and who ended it", async () => {
  const { start, server, story } = await serverWithAgent(ASKING);
  const id = await start();
  await waitFor(async () => {
    const run = await story.run(id);
    return run.state === "BLOCKED" && !run.is_sandbox_running;
  });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const dismissed = await runProgram(["runs", "dismiss", id, "--reason", "No longer needed."], env);
  expect(dismissed.printed).toBe(`Dismissed run ${id}.\n`);
  const { printed } = await runProgram(["runs", "get", id], env);
  expect(printed).toMatch(/^state: +CANCELLED$/m);
  expect(printed).toMatch(/^why: +Dismissed by admin: No longer needed\.$/m);
  expect(printed).toMatch(/^boss, question \(turn 1, [^)]*\):\n {2}Which one\?$/m);
  const again = await runProgram(["runs", "dismiss", id], env);
  expect(again.code).toBe(1);
  expect(again.said).toContain("there is no question to dismiss");
});
