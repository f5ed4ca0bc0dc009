import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ADMIN_KEY, run as runProgram } from "../../given/server.ts";
import { TELLS_USAGE, tellingHarness } from "../../given/telling-harness.ts";

test("`runs get` has a line of tokens for each model, the cost, and what the agent answered", async () => {
  const { run, server } = await serverWithAgent("", { args: tellingHarness("claude", TELLS_USAGE) });
  const { run_id } = await run({ config: { harness: { type: "told" } } });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed } = await runProgram(["runs", "get", run_id], env);
  expect(printed).toMatch(/^usage: +opus: 15 \(10 cached\) tokens in, 2 out\n +\$0\.2500$/m);
  expect(printed).toMatch(
    /^admin, prompt \(turn 1, [^)]*\):\n {2}Do it\.\n\nboss, answer \(turn 1, [^)]*\):\n {2}Done\.$/m,
  );
});
