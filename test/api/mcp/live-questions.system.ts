import { expect, test } from "vitest";
import { liveSession } from "../../given/live-session.ts";
import { waitFor } from "../../given/server.ts";

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
