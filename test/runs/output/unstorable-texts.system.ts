import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { doorClient } from "../../given/workers.ts";

/** Says it in every way that needs no answer. */
const AGENT = `
  import { mkdirSync, writeFileSync } from "node:fs";
  mkdirSync("artifacts");
  writeFileSync("artifacts/answer.md", "all \\0 done \\u{1f600}");
  process.stdout.write("out \\0 put\\n");`;

test("an answer with NUL is kept with U+FFFD in its place, and the transcript has every byte", async () => {
  const { server, story, start } = await serverWithAgent(AGENT);
  const id = await start();
  expect(await story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  const { messages } = await server.api<{ messages: { text: string }[] }>(
    "GET",
    `/agent/runs/${id}/conversation`,
  );
  expect(messages.map(({ text }) => text)).toContain("all \ufffd done \u{1f600}");
  const transcript = await ask(server, "GET", `/agent/runs/${id}/transcript`);
  expect(JSON.stringify(transcript.body)).toContain("out \\u0000 put");
});

test("what a worker tells of its agent is kept in the same way", async () => {
  const { server } = await serverWithAgent("process.exit(0)");
  const worker = await doorClient(server, { name: "w" });
  await server.api("POST", "/agent/run", { prompt: "Work.", config: { worker_host: "w" } });
  const [claimed] = await worker.claim();
  const turn = { id: claimed?.run.id ?? "", ticket: claimed?.ticket ?? 0 };
  const start = {
    sessionId: randomUUID(),
    tokenHash: "0".repeat(64),
    takesInput: false,
    isolation: { sandbox: "none", weaknesses: ["weak\0"] },
  };
  expect(await worker.call(turn, "start", start)).toMatchObject({ body: { result: true } });
  const file = randomUUID();
  await worker.upload(turn, file, "x\0");
  const sha256 = createHash("sha256").update("x\0").digest("hex");
  const added = { id: file, path: "a\0.txt", size: 2, sha256, holdsSecret: false };
  for (const [call, parameters] of [
    ["keepReport", { session: "s\0", answer: "so far\0" }],
    [
      "keepUsage",
      { usage: [{ model: "m\0", inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: null }] },
    ],
    ["addFile", { file: added }],
    ["session.offer", { id: "\0" }],
    ["session.give", { ids: ["\0"] }],
    ["session.confirm", { id: "\0" }],
    ["findAttachment", { name: "\0" }],
  ] as const)
    expect([call, (await worker.call(turn, call, parameters)).status]).toEqual([call, 200]);
  const ending = {
    state: "FAILED",
    exitCode: 1,
    statusMessage: { message: "it said \0 \ud800", error_code: "agent_process_failed" },
    answer: "no\0",
  };
  expect(await worker.call(turn, "finish", { ending })).toMatchObject({ status: 200 });
  const { body } = await ask(server, "GET", `/agent/runs/${turn.id}`);
  expect(body).toMatchObject({ status_message: { message: "it said \ufffd \ufffd" } });
  expect(JSON.stringify(body)).not.toContain("\\u0000");
});
