import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask, makeKey } from "../../given/ask.ts";
import { cookieOf, OWN_PAGE, signIn } from "../../given/browser-session.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { mcpClient } from "../../given/family.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";

/** Starts a child that stays, and leaves a plan; the child hands its token over to the workspace of its parent. */
const PLANNER = `
  import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  const { MILLRACE_API_URL: url, MILLRACE_RUN_TOKEN: token } = process.env;
  if (prompt.includes("You are the child.")) {
    writeFileSync("token.new", token);
    renameSync("token.new", "token");
    setInterval(() => {}, 1_000);
  } else if (prompt.includes("[millrace: Plan only.")) {
    if (prompt.includes("With a child.")) {
      const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
      const body = JSON.stringify({ agent: "child", prompt: "You are the child." });
      const answer = await fetch(url + "/api/v1/agent/runs", { method: "POST", headers, body });
      writeFileSync("child", (await answer.json()).run_id);
    }
    mkdirSync("artifacts", { recursive: true });
    writeFileSync("artifacts/plan.md", "First this.");
  }`;

const stage = sharedByFile(async () => {
  const files = {
    "agents/child/agent.md": "---\nagentType: CUSTOM\n---\nYou work.\n",
  };
  const given = await serverWithAgent(PLANNER, { files, env: { MILLRACE_RUN_CONCURRENCY: "40" } });
  const { server, story, start } = given;
  const key = async (kind: string, role: string) =>
    (await makeKey(server, { name: `${kind} ${role}`, kind, role })).key;
  const keys = {
    "the admin key": ADMIN_KEY,
    "a personal key": await key("personal", "operator"),
    "the key of an agent": await key("agent", "operator"),
    "the key of an agent that is an admin": await key("agent", "admin"),
    "a personal key that may only read": await key("personal", "viewer"),
  };
  return {
    server,
    story,
    keys,
    /** A run that waits for the approval of its plan. */
    async planned(prompt = "Do it.") {
      const id = await start({ prompt, mode: "plan" });
      await waitFor(async () => {
        const { state, is_sandbox_running } = await story.run(id);
        return state === "BLOCKED" && !is_sandbox_running;
      });
      const { conversation_id: conversation = "" } = await story.run(id);
      return { id, conversation };
    },
    /** What the agent is told about its plan, if anything. */
    async told(id: string) {
      const { messages } = await server.api<{ messages: { text: string }[] }>(
        "GET",
        `/agent/runs/${id}/conversation`,
      );
      const said = messages
        .map(({ text }) => /Your plan was (not )?approved/.exec(text)?.[0])
        .filter(Boolean);
      return said.at(-1) ?? "nothing";
    },
  };
});

interface Planned {
  id: string;
  conversation: string;
}
type Ask = (method: string, path: string, body: object) => Promise<unknown>;

/** Every operation that brings a message to a run. */
const OPERATIONS: Record<string, (send: Ask, run: Planned) => Promise<unknown>> = {
  followUp: (send, { id }) => send("POST", `/agent/runs/${id}/followups`, { message: "Approve" }),
  followUpConversation: (send, { conversation }) =>
    send("POST", `/agent/conversations/${conversation}/followups`, { message: "Approve" }),
  createRun: (send, { conversation }) =>
    send("POST", "/agent/runs", { prompt: "Approve", conversation_id: conversation }),
};

/** Every tool that brings a message to a run. With a key, those of tasks only reach runs with a task, which do not plan. */
const TOOLS: Record<string, (run: Planned) => { path: string; input: object }> = {
  message_agent: ({ id }) => ({ path: "/api/v1/mcp", input: { run_id: id, message: "Approve" } }),
  message_foreman: () => ({ path: "/api/v1/mcp/factory", input: { message: "Approve" } }),
  send_task: ({ id }) => ({
    path: "/api/v1/mcp/factory",
    input: { factory_task_uid: id, note: "Approve" },
  }),
};

const APPROVED = "Your plan was approved";
const NOT_APPROVED = "Your plan was not approved";
const CALLERS = [
  ["the admin key", APPROVED],
  ["a personal key", APPROVED],
  ["the key of an agent", NOT_APPROVED],
  ["the key of an agent that is an admin", NOT_APPROVED],
  ["a personal key that may only read", "nothing"],
] as const;

test.each(
  CALLERS.flatMap(([caller, told]) =>
    [...Object.keys(OPERATIONS), "message_agent"].map((by) => [by, caller, told] as const),
  ),
)("%s with %s: the agent is told %s", async (by, caller, expected) => {
  const { server, keys, planned, told } = stage();
  const run = await planned();
  const key = keys[caller];
  const tool = TOOLS[by]?.(run);
  if (tool) {
    const { names, use } = await mcpClient(server, key, tool.path);
    if (expected !== "nothing" || (await names()).includes(by)) {
      const { isError } = await use(by, tool.input);
      expect(isError).toBe(expected === "nothing");
    }
  } else {
    const send: Ask = async (method, path, body) => {
      const { status } = await ask(server, method, path, { key, body });
      expect(status).toBe(expected === "nothing" ? 403 : 200);
    };
    await OPERATIONS[by]?.(send, run);
  }
  expect(await told(run.id)).toBe(expected);
});

test.each([
  ["a personal key", APPROVED],
  ["the key of an agent", NOT_APPROVED],
] as const)("a page that was opened with %s: the agent is told %s", async (caller, expected) => {
  const { server, keys, planned, told } = stage();
  const cookie = cookieOf(await signIn(server, keys[caller]));
  for (const by of Object.values(OPERATIONS)) {
    const run = await planned();
    const send: Ask = async (method, path, body) => {
      const headers = { ...OWN_PAGE, cookie, "content-type": "application/json" };
      const answer = await server.fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
    };
    await by(send, run);
    expect(await told(run.id)).toBe(expected);
  }
});

test("the token of a run approves no plan of its parent, by any operation or tool", async () => {
  const { server, story, planned, told } = stage();
  const run = await planned("With a child.");
  const inWorkspace = (id: string, name: string) => join(server.dataDir, "workspaces", id, name);
  const child = readFileSync(inWorkspace(run.id, "child"), "utf8");
  const token = await waitFor(() => {
    const file = inWorkspace(child, "token");
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  });
  for (const by of Object.values(OPERATIONS)) {
    await by(async (method, path, body) => {
      const { status } = await ask(server, method, path, { key: token, body });
      expect(status).toBeGreaterThanOrEqual(400);
    }, run);
  }
  for (const [name, toolOf] of Object.entries(TOOLS)) {
    const { path, input } = toolOf(run);
    expect((await (await mcpClient(server, token, path)).use(name, input)).isError).toBe(true);
  }
  expect(await story.run(run.id)).toMatchObject({ state: "BLOCKED" });
  expect(await told(run.id)).toBe("nothing");
});
