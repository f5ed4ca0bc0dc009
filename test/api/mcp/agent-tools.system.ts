import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AGENT_TOOLS } from "../../../src/api/mcp/tools/agent-tools.ts";
import type { Caller } from "../../../src/runs/caller.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { mcpClient } from "../../given/family.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";

/** The boss hands its token over and stays; whoever it starts ends at once. */
const AGENT = `
  import { readFileSync, writeFileSync } from "node:fs";
  if (readFileSync("prompt.md", "utf8").includes("Help.")) console.log("helped");
  else {
    writeFileSync("token.new", process.env.MILLRACE_RUN_TOKEN);
    (await import("node:fs")).renameSync("token.new", "token");
    setInterval(() => {}, 1_000);
  }`;

async function foreman() {
  const files = { "agents/helper/agent.md": "---\ndescription: Helps.\n---\nYou help.\n" };
  const given = await serverWithAgent(AGENT, { files });
  const id = await given.start();
  const file = join(given.server.dataDir, "workspaces", id, "token");
  const token = await waitFor(() => (existsSync(file) ? readFileSync(file, "utf8") : undefined));
  return { ...given, id, token, ...(await mcpClient(given.server, token)) };
}

test("an agent reports, answers, shares a note and fetches what it has left", async () => {
  const { use, story, id } = await foreman();
  expect((await use("report", { kind: "status", text: "Reading." })).isError).toBe(false);
  await use("report", { kind: "pull_request", url: "https://example.com/pr/1", branch: "fix" });
  expect((await use("report", { kind: "pr", url: "https://example.com/pr/2" })).isError).toBe(false);
  await use("report", { kind: "file", name: "notes/a.txt", text: "the file" });
  const lacking = await use("report", { kind: "plan", text: "First this." });
  expect([lacking.isError, lacking.text]).toEqual([true, expect.stringContaining('missing key "title"')]);
  await use("answer", { text: "Done." });
  const { artifacts, ...told } = await story.run(id);
  expect(told).toMatchObject({ status_line: "Reading.", answer: "Done." });
  expect(artifacts?.filter(({ artifact_type }) => artifact_type === "PULL_REQUEST")).toHaveLength(2);
  await use("note", { text: "One." });
  expect((await use("note", { text: "Two." })).text).toBe("One.\nTwo.");
  expect((await use("note")).text).toBe("One.\nTwo.");
  expect((await use("fetch")).text).toContain("notes/a.txt");
  expect((await use("fetch", { artifact: "notes/a.txt" })).text).toBe("the file");
  expect((await use("fetch", { artifact: "b.txt" })).text).toMatch(/has no artifact "b\.txt".*notes\/a\.txt/);
  expect((await use("ask_person", { question: "Which?", choices: ["A", "B"] })).text).toContain(
    "End your turn",
  );
  expect(await story.run(id)).toMatchObject({ state: "BLOCKED", question: { choices: ["A", "B"] } });
});

const startedRun = (text: string) => /Started run (\S+) of helper/.exec(text)?.[1] ?? "";

test("with an API key, list_agents lists the agents of definitions", async () => {
  const { server } = await foreman();
  const { use } = await mcpClient(server, ADMIN_KEY);
  expect((await use("list_agents")).text).toMatch(/^Agents:\n(- .*\n)*- helper( \(\w+\))?: Helps\.$/m);
});

test("an answer of a tool is words only, because some programs leave them out where there is data", async () => {
  const { client } = await foreman();
  for (const name of ["list_agents", "note", "fetch"]) {
    expect(Object.keys(await client.callTool({ name, arguments: {} }))).toEqual(["content"]);
  }
});

test("an agent starts another one once, waits for it, and gets its answer", async () => {
  const { use, names, story, id, server } = await foreman();
  expect(await names()).toEqual(expect.arrayContaining(["start_agent", "wait_for", "list_agents"]));
  expect((await use("list_agents")).text).toContain("helper");
  const started = await use("start_agent", { agent: "helper", prompt: "Help." });
  const again = await use("start_agent", { agent: "helper", prompt: "Help." });
  const child = startedRun(started.text);
  expect(startedRun(again.text)).toBe(child);
  const waited = await use("wait_for");
  expect(waited.text).toMatch(/The runs have ended\..*helper.*helped/s);
  expect(await story.run(child)).toMatchObject({ parent_run_id: id, source: "ORCHESTRATION" });
  const stranger = await use("start_agent", { agent: "nobody", prompt: "Help." });
  expect(stranger.isError).toBe(true);
  const other = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Help." });
  expect((await use("message_agent", { run_id: other.run_id, message: "Hello." })).isError).toBe(true);
  expect((await use("cancel_agent", { run_id: other.run_id })).isError).toBe(true);
  expect((await use("fetch", { run_id: other.run_id })).isError).toBe(true);
  const admin = await mcpClient(server, ADMIN_KEY);
  expect((await admin.use("cancel_agent", { run_id: id })).isError).toBe(false);
});

test("an agent that may start nobody has no tools for that", async () => {
  const { server, start } = await serverWithAgent(AGENT, {
    files: {
      "agents/boss/agent.md": "---\nagentType: FOREMAN\nmillrace: { mayStart: [] }\n---\nYou do the work.\n",
    },
  });
  const id = await start();
  const file = join(server.dataDir, "workspaces", id, "token");
  const token = await waitFor(() => (existsSync(file) ? readFileSync(file, "utf8") : undefined));
  const { names, use } = await mcpClient(server, token);
  expect(await names()).toEqual(["ask_person", "report", "answer", "note", "fetch"]);
  expect((await use("start_agent", { agent: "boss", prompt: "Help." })).text).toMatch(
    /not available.*mayStart/,
  );
});

test("a key with the role viewer is offered no tool that changes something", () => {
  const viewer = { kind: "key", key: { role: "viewer" } } as Caller;
  const offered = AGENT_TOOLS.filter((tool) => tool.refusal?.(viewer) === undefined);
  expect(offered.filter(({ onlyReads }) => !onlyReads).map(({ name }) => name)).toEqual([]);
  expect(offered.map(({ name }) => name)).toContain("list_agents");
});
