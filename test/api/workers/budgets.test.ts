import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { remoteDoor } from "../../../src/executor/worker/remote-door.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { doorClient } from "../../given/workers.ts";

const usage = (inputTokens: number) => [
  { model: "m", inputTokens, outputTokens: 1, cachedTokens: 0, costUsd: null },
];

test("a worker is told that a turn is over its budget, by the call that has told what it used", async () => {
  const { server } = await serverWithAgent("");
  const worker = await doorClient(server, { name: "w" });
  const config = { worker_host: "w", budget: { tokensPerRun: 10 } };
  await server.api("POST", "/agent/run", { prompt: "Work.", config });
  const [claimed] = await worker.claim();
  const turn = { id: claimed?.run.id ?? "", ticket: claimed?.ticket ?? 0 };
  const start = { sessionId: randomUUID(), tokenHash: "0".repeat(64), takesInput: false };
  await worker.call(turn, "start", start);
  const keep = async (tokens: number) =>
    (await worker.call(turn, "keepUsage", { usage: usage(tokens) })).body;
  expect(await keep(9)).toEqual({ result: {} });
  const over = { result: { overBudget: expect.stringContaining("has used 11 tokens") } };
  expect(await keep(10)).toEqual(over);
  // Told again, because the answer was lost.
  expect(await keep(10)).toEqual(over);
});

test("a worker whose server knows no budgets goes on", async () => {
  const door = remoteDoor({
    client: { call: async () => undefined, upload: async () => {} },
    ...{ turn: { id: "r", ticket: 1 }, artifacts: "/nowhere", hidden: [], isStarted: true },
    over: new AbortController().signal,
    onForgotten: () => {},
    onLost: () => {},
    onBroken: () => {},
  });
  expect(await door.keepUsage(usage(1))).toEqual({});
});
