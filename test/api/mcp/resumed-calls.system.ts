import { expect, test } from "vitest";
import type { ToolContext } from "../../../src/api/mcp/tool.ts";
import { askPerson } from "../../../src/api/mcp/tools/report-tools.ts";
import { createLiveQuestions } from "../../../src/runs/agents/live-questions.ts";
import { liveSession, serverWithTokenOfRun } from "../../given/agent.ts";
import { waitFor } from "../../given/server.ts";

/** Asks as a client that can go on with a call, loses its connection, and asks for the rest when it may. */
const ASKS = `
  const { readFileSync } = await import("node:fs");
  const { millrace } = JSON.parse(readFileSync("mcp.json", "utf8")).mcpServers;
  const headers = { ...millrace.headers, "mcp-protocol-version": "2025-11-25", accept: "application/json, text/event-stream" };
  const cut = new AbortController();
  const params = { name: "ask_person", arguments: { question: "Which color?" } };
  const asked = await fetch(millrace.url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params }),
    signal: cut.signal,
  });
  let first = "";
  for await (const bytes of asked.body) {
    first += Buffer.from(bytes);
    if (first.includes("\\n\\n")) break;
  }
  const [, cursor] = /^id: (\\S+)\\nretry: 5000\\ndata: \\n\\n/.exec(first);
  await until("cut");
  cut.abort();
  console.log("cut");
  const resume = async () => {
    const rest = await fetch(millrace.url, { headers: { ...headers, accept: "text/event-stream", "last-event-id": cursor } });
    const text = await rest.text();
    const message = JSON.parse(text.split("\\n").findLast((line) => line.startsWith("data: {")).slice(6));
    console.log("told " + message.id + ": " + message.result.content[0].text);
  };
  await read();`;

const isBlocked = ({ story, id }: Awaited<ReturnType<typeof liveSession>>) =>
  waitFor(async () => (await story.run(id)).state === "BLOCKED");

test("a question that is resumed is open again once its session is known, and gets the answer", async () => {
  const questions = createLiveQuestions();
  const turn = { id: "r", turn: 1 };
  const context = {
    ...{ questions, caller: { kind: "run", run: turn }, sent: new Promise(() => {}) },
    call: async () => ({ state: "BLOCKED" }),
  };
  const told = askPerson.resume?.({}, context as unknown as ToolContext);
  // As when the worker of the session has not reported to a server that was started again.
  expect(questions.reply(turn, "Blue")).toBeUndefined();
  questions.open(turn, undefined);
  await waitFor(() => questions.reply(turn, "Blue") !== undefined);
  expect((await told)?.text).toBe("The person answered:\n\nBlue");
});

test("a client whose connection was cut gets an answer when it asks for the rest of its call", async () => {
  const session = await liveSession(`${ASKS}
    const resumed = resume();
    console.log("resuming");
    await resumed;
    process.exit(0);`);
  await isBlocked(session);
  session.can("cut");
  await session.said("resuming");
  await session.say("Blue");
  await session.said("told 7: ");
  const transcript = await session.story.transcript(session.id);
  expect(transcript).toMatch(/told 7: (The person answered:\n\nBlue|The connection was cut)/);
  expect(await session.story.ended(session.id)).toMatchObject({ state: "SUCCEEDED" });
});

test("a client that asks for the rest of its call after the answer came as a message is told so", async () => {
  const session = await liveSession(`${ASKS}
    console.log("read: " + await read());
    await resume();
    process.exit(0);`);
  await isBlocked(session);
  session.can("cut");
  await session.said("cut");
  await session.say("Blue");
  await session.said("read: Blue");
  await session.said("told 7: The connection was cut, and the question is not open any more.");
  expect(await session.story.ended(session.id)).toMatchObject({ state: "SUCCEEDED" });
});

test("only calls that are held open can be resumed, with a cursor of the server", async () => {
  const { server, key } = await serverWithTokenOfRun();
  const get = async (headers: Record<string, string>) => {
    const url = `${server.url}/api/v1/mcp`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers } });
    await answer.text();
    return answer.status;
  };
  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  expect(await get({})).toBe(405);
  const wrong = [
    cursor([1, "note", { text: "x" }]),
    cursor([1, "ask_person", []]),
    cursor([{}, "ask_person", {}]),
    "%",
  ];
  for (const id of wrong) expect(await get({ "last-event-id": id })).toBe(400);
  expect(await get({ "last-event-id": cursor([1, "ask_person", {}]), authorization: "Bearer wrong" })).toBe(
    401,
  );
});
