import { expect, test } from "vitest";
import { liveSession, serverWithAgent } from "../../given/agent.ts";
import { mcpClient } from "../../given/family.ts";
import { ADMIN_KEY, waitFor } from "../../given/server.ts";

/** Calls a tool of the server, as the agent of a run. */
const USE = `
  const { readFileSync } = await import("node:fs");
  const { millrace } = JSON.parse(readFileSync("mcp.json", "utf8")).mcpServers;
  const use = async (name, given, signal) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } });
    const headers = { ...millrace.headers, accept: "application/json, text/event-stream", "content-type": "application/json" };
    const text = await (await fetch(millrace.url, { method: "POST", headers, body, signal })).text();
    const line = text.split("\\n").find((line) => line.startsWith("data: ")) ?? text;
    return JSON.parse(line.replace(/^data: /, "")).result.content[0].text;
  };
  await read();`;

const isBlocked = ({ story, id }: Awaited<ReturnType<typeof liveSession>>) =>
  waitFor(async () => (await story.run(id)).state === "BLOCKED");

test("the answer to a question is the result of the call in a session that lives, and nothing else of it comes", async () => {
  const session = await liveSession(`
    ${USE}
    console.log("told: " + await use("ask_person", { question: "Which color?" }));
    console.log("then: " + await read());
    process.exit(0);`);
  await isBlocked(session);
  expect(await session.say("Blue")).toMatchObject({ outcome: "live_session" });
  await session.said("told: The person answered:\n\nBlue");
  expect((await session.story.run(session.id)).state).toBe("INPROGRESS");
  await session.say("And on.");
  await session.said("then: And on.");
  expect((await session.story.ended(session.id)).state).toBe("SUCCEEDED");
  expect((await session.messages()).some(({ repeated }) => repeated)).toBe(false);
});

test("an answer begins the next turn, marked as a repetition, when the agent dies with it unread", async () => {
  const session = await liveSession(`
    ${USE}
    void use("ask_person", { question: "Which color?" }).then(() => process.kill(process.pid, "SIGKILL"));
    await until("never");`);
  await isBlocked(session);
  await session.say("Blue");
  await waitFor(async () => (await session.story.run(session.id)).state === "SUCCEEDED");
  expect(await session.story.transcript(session.id)).toMatch(
    /asked: \[millrace: The previous turn ended.*\]\nBlue/,
  );
});

test("an answer goes to the input of the session when the call that has asked is gone", async () => {
  const session = await liveSession(`
    ${USE}
    const gone = new AbortController();
    void use("ask_person", { question: "Which color?" }, gone.signal).catch(() => console.log("gone"));
    await until("leave");
    gone.abort();
    console.log("read: " + await read());
    process.exit(0);`);
  await isBlocked(session);
  session.can("leave");
  await session.said("gone");
  // The server may hear of it later than the agent.
  await session.say("Blue");
  await waitFor(async () => /(read|asked): .*Blue/s.test(await session.story.transcript(session.id)));
});

test("a message that came before the question is none of its answers", async () => {
  const session = await liveSession(`
    ${USE}
    console.log("ready");
    await until("ask");
    const told = use("ask_person", { question: "Which color?" });
    console.log("read: " + await read());
    console.log("told: " + await told);
    process.exit(0);`);
  await session.said("ready");
  await session.say("Mind the gap.");
  session.can("ask");
  await session.said("read: Mind the gap.");
  await isBlocked(session);
  await session.say("Blue");
  await session.said("told: The person answered:\n\nBlue");
});

/** What the prompts of the public service say, as a program: it knows no other names of tools. */
const AGENT = `
  import { readFileSync } from "node:fs";
  const { MILLRACE_API_URL: api, MILLRACE_RUN_TOKEN: token, MILLRACE_TURN: turn } = process.env;
  const prompt = readFileSync("prompt.md", "utf8");
  async function use(name, given = {}) {
    const answer = await fetch(api + "/api/v1/mcp/factory", {
      method: "POST",
      headers: {
        authorization: "Bearer " + token,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
    });
    const { result } = await answer.json();
    if (result.isError) throw new Error(name + ": " + result.content[0].text);
    return result.structuredContent;
  }
  if (prompt.includes("You help.")) {
    await use("report_pr", { url: "https://example.com/pull/1", branch: "door" });
    await use("message_foreman", { message: "The pull request is open." });
    await use("finish_task", { status: "success", summary: "Closed the door." });
  } else if (turn === "1") {
    const { stage, title } = await use("get_task");
    if (stage !== "TRIAGE") throw new Error("The task is in " + stage);
    await use("send_task", { agent: "helper", title, note: "Close the door." });
  } else {
    const { tasks } = await use("list_tasks", { stage: ["TRIAGE"] });
    const { messages } = await use("get_conversation");
    const last = messages.at(-1);
    await use("report_external_reference", { url: "https://example.com/D-1", reference_type: "ISSUE" });
    await use("complete_task", { factory_task_uid: tasks[0].factory_task_uid, summary: "Heard: " + last.text });
  }`;

test("agents that know only the public names of tools bring a task from TRIAGE to COMPLETE", async () => {
  const { server, story } = await serverWithAgent(AGENT, {
    files: { "agents/helper/agent.md": "---\nagentType: IMPLEMENT\n---\nYou help.\n" },
  });
  const { use } = await mcpClient(server, ADMIN_KEY, "/api/v1/mcp/factory");
  const sent = await use("send_task", { factory_uid: "acme", title: "The door", note: "It does not close." });
  const named = { factory_task_uid: sent.data.factory_task_uid };
  const done = await waitFor(async () => {
    const { data } = await use("get_task", named);
    return data.stage === "COMPLETE" ? data : undefined;
  });
  expect(done).toMatchObject({
    title: "The door",
    outputs: [
      { artifact_type: "EXTERNAL_REFERENCE", data: { reference_type: "ISSUE" } },
      { artifact_type: "PULL_REQUEST", data: { branch: "door" } },
    ],
    runs: [{ agent: "boss" }, { agent: "helper" }],
  });
  expect(await story.ended(String(sent.data.run_id))).toMatchObject({
    ...{ state: "SUCCEEDED", answer: "Heard: The pull request is open." },
  });
});
