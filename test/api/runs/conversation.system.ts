import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { FACTORY } from "../../given/definition.ts";
import { crash, waitFor } from "../../given/server.ts";

/** Asks in its first turn and ends; or stays until the file `end` is there, when its prompt asks for that. */
const ASKING = `
  import { existsSync, readFileSync, writeFileSync } from "node:fs";
  const prompt = readFileSync(0, "utf8");
  const { MILLRACE_API_URL: url, MILLRACE_RUN_ID: id, MILLRACE_RUN_TOKEN: token, TOKEN: secret } = process.env;
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const report = (what, body) =>
    fetch(url + "/api/v1/agent/runs/" + id + "/" + what, { method: "POST", headers, body: JSON.stringify(body) });
  writeFileSync("token", token);
  if (process.env.MILLRACE_TURN === "1") {
    await report("artifacts", { artifact_type: "PLAN", data: { title: "Plan with " + secret, content: "First this." } });
    await report("blocked", { message: "Which one, " + secret + "?" });
    if (!prompt.includes("Wait.")) await report("blocked", { message: "Which one, " + secret + "?" });
  }
  while (prompt.includes("Wait.") && !existsSync("end")) await new Promise((again) => setTimeout(again, 20));`;

interface Conversation {
  conversation_id: string;
  steps: { id: string; messages: { role: string; content: object[] }[] }[];
  messages: {
    id: string;
    turn: number;
    role: string;
    kind: string;
    author: object;
    text: string;
    state: string;
  }[];
  page_info: { has_next_page: boolean; next_cursor?: string };
}

interface Event {
  event_type: string;
  payload: Record<string, unknown>;
}

async function asking(options: { sharesProcess?: boolean } = {}) {
  const files = {
    "factory.yaml": String(FACTORY["factory.yaml"]).replace(
      "model: none }",
      "model: none }, secrets: [TOKEN]",
    ),
  };
  const given = await serverWithAgent(ASKING, { files, ...options });
  await given.story.setSecret("TOKEN", "a-secret-value");
  await given.story.sync();
  const { server, start } = given;
  const blocked = async (prompt = "Do it.") => {
    const id = await start({ prompt });
    await waitFor(async () => {
      const run = await given.story.run(id);
      return run.state === "BLOCKED" && (prompt.includes("Wait.") || !run.is_sandbox_running);
    });
    return id;
  };
  return {
    ...given,
    blocked,
    conversation: (id: string, query = "") =>
      server.api<Conversation>("GET", `/agent/runs/${id}/conversation${query}`),
    events: async (id: string) =>
      (await server.api<{ events: Event[] }>("GET", `/agent/runs/${id}/timeline`)).events,
    say: (id: string, message: string) =>
      server.api<object>("POST", `/agent/runs/${id}/followups`, { message }),
    token: (id: string) => {
      const file = join(server.dataDir, "workspaces", id, "token");
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    },
    end: (id: string) => writeFileSync(join(server.dataDir, "workspaces", id, "end"), ""),
  };
}

describe("the conversation of a run", () => {
  test("has the prompt, the report, the question and the answer to it, with their authors and without secrets", async () => {
    const { blocked, conversation, say, story, events, server } = await asking();
    const id = await blocked();
    await say(id, "The second.");
    await story.ended(id);
    const { messages, steps, conversation_id, page_info } = await conversation(id);
    const { creator, executor } = await story.run(id);
    const person = { type: "key", name: creator.display_name };
    const agent = { type: "agent", name: executor.display_name };
    expect(
      messages.map(({ turn, role, kind, author, text, state }) => [turn, role, kind, author, text, state]),
    ).toEqual([
      [1, "user", "prompt", person, "Do it.", "given"],
      [1, "agent", "report", agent, "Plan with ********\nFirst this.", "given"],
      [1, "agent", "question", agent, "Which one, ********?", "given"],
      [2, "user", "answer", person, "The second.", "given"],
    ]);
    expect(conversation_id).toBe(id);
    expect(page_info).toEqual({ has_next_page: false });
    expect(steps.map((step) => step.messages.map(({ role, content }) => [role, content]))).toEqual([
      [
        ["user", [{ type: "text", text: "Do it." }]],
        ["assistant", [{ type: "text", text: "Plan with ********\nFirst this." }]],
        ["assistant", [{ type: "text", text: "Which one, ********?" }]],
      ],
      [["user", [{ type: "text", text: "The second." }]]],
    ]);
    const told = (await events(id)).map(({ event_type, payload }) => [
      event_type,
      payload.message_id ?? payload.message_ids,
    ]);
    const [prompt, , question, answer] = messages.map((message) => message.id);
    expect(told.filter(([type]) => type !== "oz_run_claimed")).toEqual([
      ["oz_run_created", prompt],
      ["agent_started", [prompt]],
      ["oz_run_blocked", question],
      ["agent_started", [answer]],
      ["oz_run_done", undefined],
    ]);
    const { artifacts = [] } = await story.run(id);
    expect(JSON.stringify(artifacts)).not.toContain("a-secret-value");
    expect(await server.api("GET", `/agent/runs/${id}`)).not.toHaveProperty("status_message");
  });

  test("is paged, oldest first", async () => {
    const { blocked, conversation } = await asking();
    const id = await blocked();
    const kinds = [];
    let query = "?limit=1";
    for (;;) {
      const { messages, page_info } = await conversation(id, query);
      kinds.push(...messages.map(({ kind }) => kind));
      if (!page_info.has_next_page) break;
      expect(messages).toHaveLength(1);
      query = `?limit=1&cursor=${encodeURIComponent(page_info.next_cursor ?? "")}`;
    }
    expect(kinds).toEqual(["prompt", "report", "question"]);
  });

  test("can be read by the run's own token, and not by that of another run", async () => {
    const { blocked, server, token, end, story } = await asking();
    const id = await blocked("Wait.");
    const other = await blocked("Wait. Too.");
    const path = `/agent/runs/${id}/conversation`;
    expect((await ask(server, "GET", path, { key: token(id) })).status).toBe(200);
    expect((await ask(server, "GET", path, { key: token(other) })).status).toBe(404);
    expect((await ask(server, "GET", path, { key: "" })).status).toBe(401);
    for (const each of [id, other]) {
      end(each);
      await waitFor(async () => !(await story.run(each)).is_sandbox_running);
    }
  });

  test("shows a message that waits for the next turn, and withdraws it when the run is cancelled first", async () => {
    const { start, conversation, say, server, story, token, end } = await asking();
    const id = await start({ prompt: "Wait." });
    await waitFor(async () => (await story.run(id)).state === "BLOCKED");
    await say(id, "This one.");
    await say(id, "And that.");
    expect((await conversation(id)).messages.slice(-2)).toMatchObject([
      { kind: "answer", text: "This one.", turn: 2, state: "waiting" },
      { kind: "message", text: "And that.", turn: 2, state: "waiting" },
    ]);
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect((await story.ended(id)).state).toBe("CANCELLED");
    expect((await conversation(id)).messages.slice(-2)).toMatchObject([
      { text: "This one.", state: "withdrawn" },
      { text: "And that.", state: "withdrawn" },
    ]);
    expect(token(id)).not.toBe("");
    end(id);
  });

  test("has every question and message that was answered with success before the server was killed", async () => {
    const before = await asking({ sharesProcess: false });
    const id = await before.blocked("Wait.");
    await before.say(id, "This one.");
    await crash(before.server);
    const after = await serverWithAgent(ASKING, { before });
    const { messages } = await after.server.api<Conversation>("GET", `/agent/runs/${id}/conversation`);
    expect(messages.map(({ kind, text }) => [kind, text])).toEqual([
      ["prompt", "Wait."],
      ["report", "Plan with ********\nFirst this."],
      ["question", "Which one, ********?"],
      ["answer", "This one."],
    ]);
    await after.story.ended(id);
  });
});
