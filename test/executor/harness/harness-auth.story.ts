import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { folderWith } from "../../given/folder.ts";

const SHOW = `console.log((process.env.THE_KEY ?? "none").split("").join(" "));`;

/** A server whose foreman has a harness with a key of its own. */
async function serverOf(execution: string, env: Record<string, string> = {}, agent = SHOW) {
  const folder = folderWith({ "agent.mjs": agent });
  const harness = { command: [process.execPath, join(folder, "agent.mjs")], keyVariables: ["THE_KEY"] };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses: { keyed: harness } }) }), "m.yaml");
  const files = { "agents/boss/agent.md": `---\nagentType: FOREMAN\n${execution}\n---\n` };
  return serverWithAgent("", { files, env, args: ["--config", config] });
}

describe("the key that a definition names", () => {
  test("reaches the program, and nothing says that it has no effect", async () => {
    const auth = "auth: { source: managedSecret, secretName: TEAM_KEY }";
    const { run, story } = await serverOf(`harness: { type: keyed, model: m, ${auth} }`);
    await story.setSecret("TEAM_KEY", "a-key");
    const { sync } = await story.sync();
    expect(sync.problems.filter(({ message }) => message.includes("harness.auth"))).toEqual([]);
    expect((await run()).transcript).toBe("a - k e y\n");
  });

  test("is masked where the program prints it, wherever it is from", async () => {
    const print = `console.log("key: " + process.env.THE_KEY);`;
    const auth = "auth: { source: managedSecret, secretName: TEAM_KEY }";
    const { run, story } = await serverOf(`harness: { type: keyed, model: m, ${auth} }`, {}, print);
    await story.setSecret("TEAM_KEY", "the-key-of-the-team");
    await story.sync();
    expect((await run()).transcript).toBe("key: ********\n");
    const own = "workerHost: local\nharness: { type: keyed, model: m, auth: { source: workerEnvironment } }";
    const ofServer = await serverOf(own, { THE_KEY: "the-key-of-the-server" }, print);
    expect((await ofServer.run()).transcript).toBe("key: ********\n");
  });

  test("may be the server's own, where a worker host is named", async () => {
    const harness = "harness: { type: keyed, model: m, auth: { source: workerEnvironment } }";
    const { run } = await serverOf(`workerHost: local\n${harness}`, { THE_KEY: "own" });
    expect((await run()).transcript).toBe("o w n\n");
  });
});

describe("a request", () => {
  test("for a harness or a runner that is not there is refused, and names the field", async () => {
    const { server } = await serverWithAgent("");
    const ask = (config: object) => server.api("POST", "/agent/runs", { prompt: "x", config });
    await expect(ask({ harness: { type: "no-such" } })).rejects.toThrow(/config\.harness\.type.*no harness/);
    await expect(ask({ runner_id: "no-such" })).rejects.toThrow(/config\.runner_id.*no runner/);
  });

  test("is held against the server when a schedule or an agent is made, as it is for a run", async () => {
    const { server } = await serverWithAgent("");
    const schedule = { name: "s", cron_schedule: "@daily", prompt: "x", enabled: false };
    const make = (agent_config: object) =>
      server.api("POST", "/agent/schedules", { ...schedule, agent_config });
    const noHarness = { harness: { type: "no-such" } };
    await expect(make(noHarness)).rejects.toThrow(/agent_config\.harness\.type.*no harness/);
    await expect(make({ runner_id: "no-such" })).rejects.toThrow(/agent_config\.runner_id.*no runner/);
    const { id } = await server.api<{ id: string }>("POST", "/agent/schedules", schedule);
    await expect(
      server.api("PUT", `/agent/schedules/${id}`, { ...schedule, agent_config: noHarness }),
    ).rejects.toThrow(/agent_config\.harness\.type/);
    await expect(server.api("POST", "/agent/identities", { name: "a", ...noHarness })).rejects.toThrow(
      /harness\.type: this server has no harness/,
    );
  });

  test("may call a harness by another public name, and is told the one it has here", async () => {
    const { server, run } = await serverWithAgent("", { env: { PATH: "/usr/bin:/bin" } });
    const harness = { type: "claude-code", model_id: "m" };
    const agent_config = { harness };
    const told = { harness: { type: "claude", model_id: "m" } };
    expect(await run({ config: { harness } })).toMatchObject({
      agent_config: told,
      status_message: {
        message: expect.stringContaining('"claude" was not found on the machine that executes the run'),
      },
    });
    const schedule = { name: "s", cron_schedule: "@daily", prompt: "x", agent_config };
    expect(await server.api("POST", "/agent/schedules", schedule)).toMatchObject({ agent_config: told });
    expect(await server.api("POST", "/agent/identities", { name: "a", harness })).toMatchObject(told);
    const older = { name: "b", base_harness: "claude-code" };
    expect(await server.api("POST", "/agent/identities", older)).toMatchObject({
      base_harness: "claude",
    });
  });

  test.each(["codex", "gemini"])("for %s is taken", async (type) => {
    const { server } = await serverWithAgent("", { env: { PATH: "/usr/bin:/bin" } });
    const config = { harness: { type } };
    expect(await server.api("POST", "/agent/runs", { prompt: "x", config })).toHaveProperty("run_id");
  });

  test("for a public harness whose program is missing is taken, and its run says what is missing", async () => {
    const env = { PATH: "/usr/bin:/bin" };
    const { run } = await serverWithAgent("", { env });
    expect(await run({ config: { harness: { type: "codex" } } })).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining('"codex" was not found on the machine that executes the run'),
      },
    });
  });
});

test("a viewer sees of MCP servers neither the values of headers nor of variables", async () => {
  const { run, server } = await serverWithAgent("console.log('done')");
  const mcp_servers = {
    far: { url: "https://mcp.example.com", headers: { authorization: "Bearer hidden-token" } },
    near: { command: "tool", args: ["a"], env: { TOKEN: "hidden-too" } },
  };
  const { run_id } = await run({ config: { mcp_servers } });
  const { key } = await server.api<{ key: string }>("POST", "/api-keys", { name: "v", role: "viewer" });
  const headers = { authorization: `Bearer ${key}` };
  const { uid } = await server.api<{ uid: string }>("POST", "/agent/identities", { name: "a", mcp_servers });
  await server.api("POST", "/agent/schedules", {
    ...{ name: "s", cron_schedule: "@daily", prompt: "x", enabled: false },
    agent_config: { mcp_servers },
  });
  for (const path of [
    ...[`/agent/runs/${run_id}`, "/agent/runs", "/agent/schedules"],
    ...["/agent/identities", `/agent/identities/${uid}`],
  ]) {
    const text = await (await server.fetch(`/api/v1${path}`, { headers })).text();
    expect(text).toContain('"authorization":"********"');
    expect(text).not.toContain("hidden");
  }
  expect(JSON.stringify(await server.api("GET", `/agent/runs/${run_id}`))).toContain("hidden-token");
});
