import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { createHarnesses, type HarnessRow } from "../../../src/executor/harness/harness.ts";
import { writeHarnessFiles } from "../../../src/executor/harness/harness-files.ts";
import { addServers } from "../../../src/executor/harness/own-server.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { folderWith } from "../../given/folder.ts";

/** Says what its mcp.json has, and asks the server that is named there for its tools with what is said there. */
const READS = `
  import { readFileSync } from "node:fs";
  const { mcpServers } = JSON.parse(readFileSync("mcp.json", "utf8"));
  const { millrace, ...others } = mcpServers;
  console.log("others: " + Object.keys(others));
  if (!millrace) console.log("without tools");
  else {
    const headers = { ...millrace.headers, accept: "application/json, text/event-stream", "content-type": "application/json" };
    console.log("own token: " + (millrace.headers.Authorization === "Bearer " + process.env.MILLRACE_RUN_TOKEN));
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { result } = await (await fetch(millrace.url, { method: "POST", headers, body })).json();
    console.log("tools: " + result.tools.map(({ name }) => name).includes("ask_person"));
  }`;

const config = { mcp_servers: { local: { command: "x" } } };

describe("an agent finds the server's own tools in mcp.json", () => {
  test("in every turn, with the token of that turn, which the transcript does not show", async () => {
    const { run, server, story } = await serverWithAgent(READS);
    const first = await run({ config });
    const told = "others: local\nown token: true\ntools: true\n";
    expect(first.transcript).toContain(told);
    await server.api("POST", `/agent/runs/${first.run_id}/followups`, { message: "Again." });
    await story.ended(first.run_id);
    expect((await story.transcript(first.run_id)).split(told)).toHaveLength(3);
    expect(first.transcript).not.toContain("mrt_");
  });

  test("but not where its sandbox has no network", async () => {
    const env = { MILLRACE_SANDBOX: "bwrap", MILLRACE_SANDBOX_NETWORK: "off" };
    const { run } = await serverWithAgent(READS, { env });
    expect((await run({ config })).transcript).toContain("others: local\nwithout tools\n");
  });
});

test("a server of tools by the name of the server's own is refused", async () => {
  const { server } = await serverWithAgent("");
  const mcp_servers = { millrace: { command: "x" } };
  const run = await ask(server, "POST", "/agent/runs", { body: { prompt: "x", config: { mcp_servers } } });
  expect([run.status, run.body.field]).toEqual([400, "config.mcp_servers.millrace"]);
  const agent = await ask(server, "POST", "/agent/identities", { body: { name: "mine", mcp_servers } });
  expect([agent.status, agent.body.field]).toEqual([400, "mcp_servers.millrace"]);
});

const row = (type: string) =>
  createHarnesses({ agentCommand: undefined, harnesses: {} }).find({ type }) as HarnessRow;
const URL_OF = { codex: "http://one", gemini: "http://one", opencode: "http://one" };
const PATHS = {
  codex: ".codex/config.toml",
  gemini: ".gemini/settings.json",
  opencode: ".config/opencode/opencode.json",
};
const KEYS = { codex: "mcp_servers", gemini: "mcpServers", opencode: "mcp" };
/** A call is held open for an hour at most, and opencode's limit begins anew with each notification of progress. */
const LIMITS = {
  codex: { tool_timeout_sec: 3_660, required: true, startup_timeout_sec: 60 },
  gemini: { timeout: 3_660_000 },
  opencode: { timeout: 60_000 },
};
type Name = keyof typeof PATHS;
const NAMES = Object.keys(PATHS) as Name[];

function settingsIn(workspace: string, name: Name) {
  const text = readFileSync(join(workspace, PATHS[name]), "utf8");
  return (name === "codex" ? parse(text) : JSON.parse(text)) as Record<string, Record<string, object>>;
}

describe.each(NAMES)("the settings of %s", (name) => {
  const key = KEYS[name];

  test("name the server's own tools beside the run's other servers, at the address of this turn", async () => {
    const workspace = folderWith({});
    await writeHarnessFiles(row(name), workspace, { far: { url: "https://mcp.example.com" } });
    for (const url of [URL_OF[name], "http://two"]) await addServers(row(name), workspace, {}, url);
    const servers = settingsIn(workspace, name)[key];
    expect(Object.keys(servers ?? {})).toEqual(["far", "millrace"]);
    expect(JSON.stringify(servers?.millrace)).toContain('"http://two/api/v1/mcp"');
    expect(JSON.stringify(servers?.millrace)).toContain("MILLRACE_RUN_TOKEN");
    expect(servers?.millrace).toMatchObject(LIMITS[name]);
  });

  test("keep what a setup command has written, and are left alone where they cannot be read", async () => {
    const own = name === "codex" ? 'approval_policy = "never"\n' : '{"theme": "dark"}';
    const workspace = folderWith({ [PATHS[name]]: own });
    expect(await addServers(row(name), workspace, {}, "http://one")).toBeUndefined();
    expect(Object.keys(settingsIn(workspace, name))).toHaveLength(2);
    writeFileSync(join(workspace, PATHS[name]), "{ // mine");
    expect(await addServers(row(name), workspace, {}, "http://one")).toContain("could not be read");
    expect(readFileSync(join(workspace, PATHS[name]), "utf8")).toBe("{ // mine");
  });

  test("do not follow a link that the agent of an earlier turn has left", async () => {
    const elsewhere = folderWith({ secret: '{"key": "of another"}' });
    const workspace = folderWith({});
    mkdirSync(join(workspace, PATHS[name], ".."), { recursive: true });
    symlinkSync(join(elsewhere, "secret"), join(workspace, PATHS[name]));
    await addServers(row(name), workspace, {}, "http://one");
    expect(readFileSync(join(elsewhere, "secret"), "utf8")).toBe('{"key": "of another"}');
    expect(Object.keys(settingsIn(workspace, name))).toEqual([key]);
  });
});
