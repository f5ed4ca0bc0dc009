import { expect, test } from "vitest";
import { forgetAnswers } from "../../../src/runs/idempotency.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { AT, aRun, aStore } from "../../given/store.ts";

const stage = sharedByFile(() => serverWithAgent(""));
const keyed = (key: string) => ({ "idempotency-key": key });

test("a creation sent again under its key is the same run, at either path and in any order of keys", async () => {
  const { server, story } = stage();
  const before = (await story.runs()).length;
  const send = (path: string, body: object) =>
    ask(server, "POST", path, { body, headers: keyed("create-1") });
  const first = await send("/agent/runs", { prompt: "p", title: "t" });
  const again = await send("/agent/run", { title: "t", prompt: "p" });
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await story.runs()).length).toBe(before + 1);
});

test("twenty requests at the same time create one run, and each of them is answered with it", async () => {
  const { server, story } = stage();
  const before = (await story.runs()).length;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      ask(server, "POST", "/agent/runs", { body: { prompt: "p" }, headers: keyed("create-2") }),
    ),
  );
  expect(new Set(answers.map(({ body }) => body.run_id)).size).toBe(1);
  expect((await story.runs()).length).toBe(before + 1);
});

test("a key that was used for another request is refused, and the answer tells the client not to retry", async () => {
  const { server } = stage();
  const headers = keyed("create-3");
  await ask(server, "POST", "/agent/runs", { body: { prompt: "p" }, headers });
  const other = await ask(server, "POST", "/agent/runs", { body: { prompt: "q" }, headers });
  expect([other.status, other.headers.get("x-should-retry"), other.body.retryable]).toEqual([
    409,
    "false",
    false,
  ]);
});

test("a key belongs to its sender", async () => {
  const { server } = stage();
  const headers = keyed("create-4");
  const mine = await ask(server, "POST", "/agent/runs", { body: { prompt: "p" }, headers });
  const key = await aKey(server, { role: "operator" });
  const theirs = await ask(server, "POST", "/agent/runs", { body: { prompt: "p" }, headers, key });
  expect(theirs.body.run_id).not.toBe(mine.body.run_id);
});

test("a message sent again under its key is given once", async () => {
  const { server, start } = stage();
  const id = await start();
  const send = (message: string) =>
    ask(server, "POST", `/agent/runs/${id}/followups`, { body: { message }, headers: keyed("tell-1") });
  const first = await send("m");
  expect((await send("m")).body).toEqual(first.body);
  expect((await send("n")).status).toBe(409);
});

test("a key outlasts a restart", async () => {
  const before = await serverWithAgent("", { sharesProcess: false });
  const send = (to: typeof before.server) =>
    ask(to, "POST", "/agent/runs", { body: { prompt: "p" }, headers: keyed("create-5") });
  const first = await send(before.server);
  await before.server.kill();
  const again = await serverWithAgent("", { before });
  expect((await send(again.server)).body).toEqual(first.body);
});

test.each([
  ["a key with a space", "a b"],
  ["a key that is too long", "k".repeat(256)],
])("%s is refused", async (_, key) => {
  const answer = await ask(stage().server, "POST", "/agent/runs", {
    body: { prompt: "p" },
    headers: keyed(key),
  });
  expect([answer.status, answer.body.field]).toEqual([400, "Idempotency-Key"]);
});

test("a key is forgotten after a day", async () => {
  const { runs } = await aStore();
  const once = { principalUid: "ann", key: "k", requestHash: "h" };
  const create = () => runs.createOnce(aRun(), once, "{}", AT);
  expect(await create()).toEqual({ answer: "{}", isNew: true });
  const later = (hours: number) => () => new Date(Date.parse(AT) + hours * 60 * 60_000);
  await forgetAnswers({ store: runs, now: later(23) });
  expect(await create()).toEqual({ answer: "{}", isNew: false });
  await forgetAnswers({ store: runs, now: later(25) });
  expect(await create()).toEqual({ answer: "{}", isNew: true });
});
