import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { serverWithAgent } from "../given/agent.ts";
import { folderWith } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";
import { frontMatterOf, KEY, PRESETS } from "./presets.ts";
import { PROGRAMS } from "./programs.ts";
import { type AskedModel, type ModelAnswer, TOOK } from "./scripted-model.ts";
import { serverWithProgram } from "./served-program.ts";

/** A server of tools with one tool, which says its words and a word of its environment. */
const TOOL_SERVER = `
import { createInterface } from "node:readline";
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "local", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "echo", description: "Says its words.", inputSchema: { type: "object", properties: { text: { type: "string" } } } }] }),
  "tools/call": ({ arguments: { text } }) => ({ content: [{ type: "text", text: "echoed " + text + " " + process.env.WORD }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method]?.(params) ?? {} }));
}`;

/** The words that the model was sent, all of the conversation. */
const heard = ({ body }: AskedModel) => JSON.stringify(body.messages ?? body.input ?? body.contents);

function script(asked: AskedModel): ModelAnswer {
  const conversation = heard(asked);
  if (conversation.includes("Say nothing.") && !conversation.includes("What was it?")) return "silence";
  if (conversation.includes("Show a wrong key.")) return "refused";
  if (conversation.includes("Remember") && conversation.includes("What was it?"))
    return { text: "It was blue." };
  if (conversation.includes("echoed hello")) return { text: "The tool has answered." };
  if (conversation.includes("Use the tool.")) return { tool: "echo", input: { text: "hello" } };
  return { text: "I will." };
}

interface Used {
  usage: { turns: { turn: number; input_tokens: number }[] };
}

const seen: string[][] = [];

/** A server whose foreman runs by a preset, with the model of the test. */
async function started(name: string) {
  const tools = join(folderWith({ "tools.mjs": TOOL_SERVER }), "tools.mjs");
  const agent = `---\nagentType: FOREMAN\n${frontMatterOf(name)}\n---\nYou answer.\n`;
  const files = { "agents/boss/agent.md": agent };
  const given = await serverWithProgram(name, script, { files });
  return { ...given, run: runOf(given), tools };
}

/** A program may take half a minute to start on a machine that has other work. */
function runOf({ start, story }: Pick<Awaited<ReturnType<typeof serverWithAgent>>, "start" | "story">) {
  return async (body: object) => {
    const id = await start(body);
    return { ...(await story.ended(id, 90)), transcript: await story.transcript(id) };
  };
}

describe.each(Object.keys(PRESETS))("the preset %s", (name) => {
  test("starts with its prompt, its model and its key, and its answer is separated from the rest of its output", async () => {
    const { run, model } = await started(name);
    const ended = await run({ prompt: "Remember blue." });
    expect(ended).toMatchObject({ state: "SUCCEEDED", answer: "I will." });
    expect(ended.transcript).toContain("I will.");
    expect(ended.transcript).not.toContain(KEY);
    expect(model.asked.map((asked) => [asked.model, asked.key])).toContainEqual(["the-model", KEY]);
    expect(heard(model.asked[0] as AskedModel)).toMatch(/You answer\..*Remember blue\./);
    seen.push([name, "start, prompt, model, secret, answer"]);
  });

  test("continues its session in the turn that a message begins", async () => {
    const { run, model, server, story } = await started(name);
    const { run_id } = await run({ prompt: "Remember blue." });
    await server.api("POST", `/agent/runs/${run_id}/followups`, { message: "What was it?" });
    await waitFor(async () => (await story.run(run_id)).answer === "It was blue.", 90);
    expect(await story.ended(run_id, 90)).toMatchObject({ state: "SUCCEEDED" });
    expect(heard(model.asked.at(-1) as AskedModel)).toMatch(/Remember blue\..*What was it\?/);
    const { usage } = await server.api<Used>("GET", `/agent/runs/${run_id}/harness-usage`);
    expect(usage.turns.map(({ turn, input_tokens }) => [turn, input_tokens])).toEqual([
      [1, TOOK.input],
      [2, TOOK.input],
    ]);
    seen.push([name, "resume by follow-up, with tokens by turn"]);
  });

  test("is cancelled while it waits for its model, and leaves no process behind", async () => {
    const { start, model, server, story } = await started(name);
    const id = await start({ prompt: "Say nothing." });
    await waitFor(() => model.asked.some((asked) => heard(asked).includes("Say nothing.")) || undefined, 90);
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect(await story.ended(id)).toMatchObject({ state: "CANCELLED" });
    await waitFor(() => model.left.length > 0 || undefined, 30);
    seen.push([name, "cancel"]);
  });

  test("ends its turn with the reason when the model refuses its key", async () => {
    const { run } = await started(name);
    const ended = await run({ prompt: "Show a wrong key." });
    expect(ended.state).toBe("FAILED");
    expect(ended.status_message?.message).toMatch(/401.*Check the secret/s);
    seen.push([name, "refused key"]);
  });

  test("reaches the MCP servers of its run", async () => {
    const { run, tools } = await started(name);
    const local = { command: process.execPath, args: [tools], env: { WORD: "wide" } };
    const ended = await run({ prompt: "Use the tool.", config: { mcp_servers: { local } } });
    expect(ended).toMatchObject({ state: "SUCCEEDED", answer: "The tool has answered." });
    expect(ended.transcript).toMatch(/> .*echo.*hello/);
    seen.push([name, "MCP server"]);
  });
});

describe("the preset claude", () => {
  test("takes messages while its session is open", async () => {
    const { start, server, story } = await started("claude");
    const id = await start({ prompt: "Remember blue.", config: { idle_timeout_minutes: 1 } });
    await waitFor(async () => (await story.run(id)).answer === "I will.", 90);
    const answer = await server.api("POST", `/agent/runs/${id}/followups`, { message: "What was it?" });
    expect(answer).toMatchObject({ outcome: "live_session" });
    await waitFor(async () => (await story.run(id)).answer === "It was blue.", 90);
    expect((await story.run(id)).state).toBe("INPROGRESS");
    await server.api("POST", `/agent/runs/${id}/cancel`);
    await story.ended(id);
    seen.push(["claude", "messages to an open session"]);
  });
});

/** What was seen, for whoever reads the docs; only when all of it was. */
afterAll(() => {
  if (seen.length < 21) return;
  const rows = Object.entries(PRESETS).map(([name, { version }]) => {
    const said = spawnSync(join(PROGRAMS, name), version, { encoding: "utf8" }).stdout.trim();
    const what = seen.filter(([of]) => of === name).map(([, shown]) => shown);
    return `| \`${name}\` | ${said} | ${what.join("; ")} |`;
  });
  const date = new Date().toISOString().slice(0, 10);
  const page = new URL("../../docs/agents.md", import.meta.url);
  const table = [
    `Tested on ${date} with Node ${process.versions.node}:`,
    "",
    "| preset | program | tested features |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
  const text = readFileSync(page, "utf8").replace(
    /(<!-- proven -->)[\s\S]*?(<!-- \/proven -->)/,
    `$1\n${table}\n$2`,
  );
  writeFileSync(page, text);
});
