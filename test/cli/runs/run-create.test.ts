import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { FACTORY } from "../../given/definition.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { tellingHarness } from "../../given/telling-harness.ts";

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
