import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { doorClient } from "../../given/door-client.ts";
import { startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

const ask = (server: Awaited<ReturnType<typeof startServer>>) =>
  server.api<{ run_id: string }>("POST", "/agent/run", {
    prompt: "Work.",
    config: { worker_host: "builder" },
  });

test("a claim that is sent again gets the turns of the first time, and another claim does not", async () => {
  const server = await startServer({ sources: [] });
  const worker = await doorClient(server);
  await ask(server);
  const [first] = await worker.claim(1, 5_000, "one");
  const [again] = await worker.claim(1, 0, "one");
  expect([again?.run.id, again?.ticket]).toEqual([first?.run.id, first?.ticket]);
  expect(await worker.claim(1, 0, "two")).toEqual([]);
});

test("two claims that are one, and that wait at the same time, get the same turn", async () => {
  const server = await startServer({ sources: [] });
  const worker = await doorClient(server);
  const both = [worker.claim(5, 10_000, "one"), worker.claim(5, 10_000, "one")];
  const { run_id } = await ask(server);
  const [one, two] = await Promise.all(both);
  expect(one?.map(({ run }) => run.id)).toEqual([run_id]);
  expect(two?.map(({ ticket }) => ticket)).toEqual(one?.map(({ ticket }) => ticket));
});

test("every call of a turn can be sent again: its pieces, its file and its start are there once", async () => {
  const server = await startServer({ sources: [] });
  const story = storyOf(server);
  const worker = await doorClient(server);
  const { run_id } = await ask(server);
  const [claimed] = await worker.claim();
  const turn = { id: run_id, ticket: claimed?.ticket ?? 0 };
  const bytes = (text: string) => ({ $base64: Buffer.from(text).toString("base64") });
  const chunk = (seq: number, text: string) => {
    return { seq, turn: 1, stream: "stdout", at: new Date().toISOString(), bytes: bytes(text) };
  };
  const file = { id: randomUUID(), path: "a.txt", size: 5, sha256: sha256("hello"), holdsSecret: false };
  const start = { sessionId: randomUUID(), tokenHash: sha256("token"), takesInput: false };
  const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
  for (const [call, parameters] of [
    ["hide", { values: ["secret"] }],
    ["start", start],
    ["session.open", {}],
    ["append", { chunks: [chunk(1, "one\n"), chunk(2, "two\n")] }],
    ["append", { chunks: [chunk(2, "two\n"), chunk(3, "three\n")] }],
    ["addFile", { file }],
    ["session.close", {}],
  ] as const) {
    if (call === "addFile") expect((await worker.upload(turn, file.id, "hello")).status).toBe(200);
    const answers = [await worker.call(turn, call, parameters), await worker.call(turn, call, parameters)];
    expect([call, answers[0]?.status, answers[1]]).toEqual([call, 200, answers[0]]);
  }
  expect(await worker.call(turn, "finish", { ending })).toMatchObject({ status: 200 });
  expect(await worker.call(turn, "finish", { ending })).toMatchObject({ status: 409 });
  expect(await story.transcript(run_id)).toBe("one\ntwo\nthree\n");
  const run = await story.run(run_id);
  expect(run).toMatchObject({ state: "SUCCEEDED" });
  expect(run.artifacts).toHaveLength(1);
});

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
