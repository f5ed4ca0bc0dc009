import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { FACTORY } from "../../given/definition.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { ADMIN_KEY, run, run as runProgram } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { TELLS_USAGE, tellingHarness } from "../../given/telling-harness.ts";

/** Prints which of two secrets the run was given. */
const SECRETS = 'console.log(["ONE", "TWO"].filter((name) => process.env[name]).join(" "));';

test("a run is created with the harness, the runner and the secrets that the options name", async () => {
  const { server, story } = await serverWithAgent("", {
    args: tellingHarness("text", SECRETS),
    files: {
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [ONE, TWO]\n---\nYou do the work.\n",
      "runners/large.yaml": "description: For builds that need room.\n",
    },
  });
  for (const name of ["ONE", "TWO"]) await story.setSecret(name, `value-of-${name}`);
  await story.sync();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const created = await run(
    ["runs", "create", "Go.", "--wait", "--harness", "told", "--runner", "large", "--secret", "TWO"],
    env,
  );
  expect([created.code, created.said]).toEqual([0, expect.not.stringContaining("error")]);
  expect((await run(["runs", "logs"], env)).printed).toBe("TWO\n");
  expect(JSON.parse((await run(["runs", "get", "--json"], env)).printed).agent_config).toMatchObject({
    harness: { type: "told" },
    runner_id: "large",
  });
});

test("a harness, a runner or a secret for a foreman is refused before anything starts, and an unknown name by the server", async () => {
  const { server } = await serverWithAgent("", { files: FACTORY });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const options = ["--harness", "a", "--runner", "b", "--secret", "c"];
  const refused = await run(["runs", "create", "Go.", "--factory", "acme", ...options], env);
  expect([refused.code, refused.said]).toEqual([
    2,
    expect.stringContaining("Cannot use --harness, --runner, --secret"),
  ]);
  const unknown = await run(["runs", "create", "Go.", "--harness", "none-such"], env);
  expect(unknown.said).toContain('this server has no harness "none-such"');
  expect((await run(["runs", "list"], env)).printed).toBe("No runs yet.\n");
});

test("`runs get` has a line of tokens for each model, the cost, that with children, and what the agent answered", async () => {
  const { run, server } = await serverWithAgent("", { args: tellingHarness("claude", TELLS_USAGE) });
  const { run_id } = await run({ config: { harness: { type: "told" } } });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed } = await runProgram(["runs", "get", run_id], env);
  expect(printed).toMatch(/^usage: +opus: 15 \(10 cached\) tokens in, 2 out\n +\$0\.2500$/m);
  expect(printed).not.toContain("with children");
  await run({ config: { harness: { type: "told" } }, parent_run_id: run_id });
  expect((await runProgram(["runs", "get", run_id], env)).printed).toMatch(/^with children: +\$0\.5000$/m);
  expect(printed).toMatch(
    /^admin, prompt \(turn 1, [^)]*\):\n {2}Do it\.\n\nboss, answer \(turn 1, [^)]*\):\n {2}Done\.$/m,
  );
});

test("environments update does not undo concurrent changes of someone else", async () => {
  const { server } = await serving(FACTORY, {});
  const config = { name: "tests", description: "before" };
  const { uid } = await server.api<{ uid: string }>("POST", "/agent/environments", config);
  const place = join(temporaryFolder("millrace-pipe"), "config.json");
  execFileSync("mkfifo", [place]);
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const updating = run(["environments", "update", "tests", "--file", place], env);
  const pipe = createWriteStream(place);
  // A pipe opens when its reader does: by then the command has read the environment.
  await once(pipe, "open");
  await server.api("PUT", `/agent/environments/${uid}`, { ...config, description: "of somebody else" });
  pipe.end(JSON.stringify({ setup_commands: ["npm ci"] }));

  expect(await updating).toMatchObject({ code: 6, said: expect.stringContaining("Get the resource again") });
  const { config: present } = await server.api<{ config: object }>("GET", `/agent/environments/${uid}`);
  expect(present).toMatchObject({ description: "of somebody else", setup_commands: [] });
});
