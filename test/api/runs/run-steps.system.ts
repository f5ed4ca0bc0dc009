import { expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { openTranscript } from "../../../src/executor/output/transcript-writer.ts";
import { pruneTranscripts } from "../../../src/runs/retention.ts";
import { MAX_EVENT_BYTES } from "../../../src/runs/turn/turn-door.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { aKey, ask } from "../../given/ask.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { ADMIN_KEY } from "../../given/server.ts";
import { aRun, aStore } from "../../given/store.ts";
import { tellingHarness } from "../../given/telling-harness.ts";

type Steps = components["schemas"]["RunSteps"];

const SECRET = "a-secret-value";
const NOW = "2026-11-20T10:00:00.000Z";

/** Writes the events of claude, with its secret in each of them, and lines that are none. */
const TELLS = `
  const secret = process.env.TOKEN;
  const say = (event) => console.log(JSON.stringify(event));
  const said = (...content) => say({ type: "assistant", message: { content } });
  said({ type: "thinking", thinking: "I think of " + secret });
  said({ type: "tool_use", id: "t1", name: "Bash", input: { command: "echo " + secret } });
  say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "<b>" + secret + "</b>" }] } });
  console.log("a warning with " + secret);
  console.error("standard error");
  say({ type: "result", subtype: "success", result: "Done.", total_cost_usd: 0.25, usage: { input_tokens: 7 } });`;

async function told() {
  const files = withFactoryLines("secrets: [TOKEN]\n");
  const given = await serverWithAgent("", { files, args: tellingHarness("claude", TELLS) });
  await given.story.setSecret("TOKEN", SECRET);
  await given.story.sync();
  const { run_id } = await given.run({ config: { harness: { type: "told" } } });
  return { ...given, id: run_id };
}

test("the steps that a harness reports are listed page by page and streamed, without secrets, and are no part of the text", async () => {
  const { server, story, id } = await told();
  const page = (query = "") => server.api<Steps>("GET", `/agent/runs/${id}/steps${query}`);
  const { steps } = await page();
  expect(steps.map(({ id: _, turn: __, time: ___, ...step }) => step)).toEqual([
    { type: "thinking", text: "I think of ********" },
    { type: "tool_call", call_id: "t1", name: "Bash", input: "echo ********" },
    { type: "tool_result", call_id: "t1", output: "<b>********</b>" },
    { type: "output", text: "a warning with ********" },
    { type: "result", cost_usd: 0.25, tokens: 7 },
  ]);
  const first = await page("?limit=3");
  const rest = await page(`?limit=3&cursor=${first.page_info.next_cursor}`);
  expect([...first.steps, ...rest.steps]).toEqual(steps);
  expect(rest.page_info.has_next_page).toBe(false);

  expect(await story.transcript(id)).not.toContain("tool_use");
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const path = `/api/v1/agent/runs/${id}/transcript`;
  const [stream, plain] = await Promise.all(
    [`${path}?follow=true&steps=true`, `${path}?follow=true`].map(async (each) =>
      (await server.fetch(each, { headers })).text(),
    ),
  );
  expect(stream?.match(/^event: step$/gm)).toHaveLength(steps.length);
  expect(stream).toContain("standard error");
  expect(stream).not.toContain(SECRET);
  expect(plain).not.toContain("event: step");
  const last = await server.fetch(path, { headers: { ...headers, range: "bytes=-1000000" } });
  expect(await last.text()).toBe(await story.transcript(id));
});

test("a key of another factory sees no steps, and a deleted run has none", async () => {
  const { server, id } = await told();
  const { uid } = await server.api<{ uid: string }>("POST", "/factories", { name: "other" });
  const key = await aKey(server, { role: "admin", factories: [uid] });
  const path = `/agent/runs/${id}/steps`;
  expect((await ask(server, "GET", path, { key })).status).toBe(404);
  await server.api("DELETE", `/agent/runs/${id}`);
  expect((await ask(server, "GET", path, { key: ADMIN_KEY })).status).toBe(404);
});

test("the steps of a run go with its transcript when that is no longer stored", async () => {
  const { runs, transcripts } = await aStore();
  const { id } = await runs.create(aRun({}), NOW);
  const bytes = Buffer.from('{"type":"message","text":"said"}');
  await transcripts.append(id, [{ seq: 1, turn: 1, stream: "harness", at: NOW, bytes }]);
  expect(await transcripts.list(id, 0, 10)).toEqual([]);
  expect(await transcripts.list(id, 0, 10, "events")).toHaveLength(1);
  expect([await transcripts.findSize(id), await transcripts.findEventSize(id)]).toEqual([
    0,
    { count: 1, bytes: bytes.length },
  ]);
  await runs.cancel(id, NOW);
  await pruneTranscripts({ store: runs, transcripts, keepMs: 0, now: () => new Date(Date.now() + 60_000) });
  expect(await transcripts.list(id, 0, 10, "all")).toEqual([]);
});

test("the steps of a run are bounded over all of its turns, and its text goes on", async () => {
  const stored: { stream: string; text: string }[] = [];
  const transcript = openTranscript({
    async append(chunks) {
      for (const { stream, bytes } of chunks) stored.push({ stream, text: Buffer.from(bytes).toString() });
    },
    turn: 2,
    lastSeq: 0,
    earlierEvents: { count: 0, bytes: MAX_EVENT_BYTES - 500 },
    now: () => new Date(NOW),
    onFull: () => {},
    onError: () => {},
  });
  const event = `${JSON.stringify({ type: "message", text: "x" })}\n`;
  const pieces = [
    { stream: "harness", at: NOW, bytes: Buffer.from(event.repeat(20)) },
    { stream: "stdout", at: NOW, bytes: Buffer.from("the text") },
  ] as const;
  expect(await transcript.append(pieces)).toBe(true);
  await transcript.append(pieces);
  expect(stored.filter(({ stream }) => stream === "harness")).toHaveLength(3);
  expect(stored.filter(({ text }) => text.includes("exceeded the limit of 16 MiB"))).toHaveLength(1);
  expect(stored.filter(({ stream }) => stream === "stdout")).toHaveLength(2);
});
