import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { ADMIN_KEY, run } from "../given/server.ts";

const WROTE = "\x1b[31mred\x1b[0m \x1b]0;owned\x07 \x1b]52;c;eA==\x07 \x1b[2J\r\x9b6n\n";

test("only the colours of what an agent writes reach a terminal, and its bytes with --raw", async () => {
  const { server, run: runToEnd } = await serverWithAgent(`process.stdout.write(${JSON.stringify(WROTE)})`);
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { run_id } = await runToEnd();
  for (const follow of [[], ["--follow"]]) {
    const { printed } = await run(["runs", "logs", ...follow, run_id], env);
    expect(printed).toBe(
      "\x1b[31mred\x1b[0m \\x1b]0;owned\\x07 \\x1b]52;c;eA==\\x07 \\x1b[2J\\x0d\\x9b6n\n\x1b[0m",
    );
    expect((await run(["runs", "logs", ...follow, "--raw", run_id], env)).printed).toBe(WROTE);
  }
});
