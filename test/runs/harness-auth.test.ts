import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { folderWith } from "../given/folder.ts";

const SHOW = `console.log((process.env.THE_KEY ?? "none").split("").join(" "));`;

/** A server whose foreman has a harness with a key of its own. */
async function serverOf(execution: string, env: Record<string, string> = {}) {
  const folder = folderWith({ "agent.mjs": SHOW });
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

  test("may be the server's own, where a worker host is named", async () => {
    const harness = "harness: { type: keyed, model: m, auth: { source: workerEnvironment } }";
    const { run } = await serverOf(`workerHost: here\n${harness}`, { THE_KEY: "own" });
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

  test("for a public harness whose program is missing is taken, and its run says what is missing", async () => {
    const env = { PATH: "/usr/bin:/bin" };
    const { run } = await serverWithAgent("", { env });
    expect(await run({ config: { harness: { type: "codex" } } })).toMatchObject({
      state: "FAILED",
      status_message: {
        error_code: "environment_setup_failed",
        message: expect.stringContaining('"codex" is not on this server'),
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
  for (const path of [`/agent/runs/${run_id}`, "/agent/runs"]) {
    const text = await (await server.fetch(`/api/v1${path}`, { headers })).text();
    expect(text).toContain('"authorization":"********"');
    expect(text).not.toContain("hidden");
  }
  expect(JSON.stringify(await server.api("GET", `/agent/runs/${run_id}`))).toContain("hidden-token");
});
