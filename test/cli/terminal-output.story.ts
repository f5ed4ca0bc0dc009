import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { ADMIN_KEY, run } from "../given/server.ts";
import { runAtTerminal } from "../given/shell.ts";

const ESCAPE = "\x1b[";

test("a terminal gets colors and ids that leave room for titles; pipes, NO_COLOR and --no-color get none", async () => {
  const { server, run: runToEnd } = await serverWithAgent("process.exit(3)");
  const title = "Review the change of the login page by a new person";
  const first = await runToEnd({ title });
  const second = await runToEnd({ title: "\x1b[2J\x1b[31mevil" });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const list = ["runs", "list"];
  const { shown } = await runAtTerminal(list, env, { columns: 120 });
  expect(shown).toContain(`${ESCAPE}31mFAILED${ESCAPE}0m`);
  expect(shown).toContain(title);
  expect(shown).not.toContain(first.run_id);
  expect(shown).not.toContain(`${ESCAPE}2J`);
  expect(shown).toContain("\\x1b[2J");
  const id = /FAILED\S* +([0-9a-f-]{13,})/.exec(shown)?.[1] ?? "";
  expect((await run(["runs", "get", id], env)).printed).toContain(second.run_id);
  expect((await runAtTerminal(["runs", "get", id], env)).shown).toContain(`${ESCAPE}31mFAILED`);
  for (const [args, more] of [
    [list, { NO_COLOR: "1" }],
    [list, { TERM: "dumb" }],
    [[...list, "--no-color"], {}],
    [["runs", "get", id, "--no-color"], {}],
  ] as const) {
    expect((await runAtTerminal(args, { ...env, ...more })).shown).not.toContain(ESCAPE);
  }
  const piped = await run(list, env, "", { ownProcess: true });
  expect(piped.printed).toContain(first.run_id);
  expect(piped.printed).not.toContain(ESCAPE);
});
