import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { runAtTerminal } from "../../given/terminal.ts";

test("output without a last line end gets one on a terminal only", async () => {
  const { server, run: runToEnd } = await serverWithAgent('process.stdout.write("no end");');
  const { run_id } = await runToEnd();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  expect((await run(["runs", "logs", run_id], env)).printed).toBe("no end");
  expect((await runAtTerminal(["runs", "logs", run_id], env)).shown).toBe("no end\n");
  expect((await runAtTerminal(["runs", "logs", "-f", run_id], env)).shown).toBe("no end\n");
});

test("output that ends with a line, and then with a color, gets no empty line on a terminal", async () => {
  const { server, run: runToEnd } = await serverWithAgent('process.stdout.write("\\x1b[31mred\\n\\x1b[0m");');
  const { run_id } = await runToEnd();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { shown } = await runAtTerminal(["runs", "logs", run_id], env);
  expect(shown.match(/\n/g)).toHaveLength(1);
});
