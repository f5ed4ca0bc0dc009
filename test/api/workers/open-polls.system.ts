import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { startServer, waitFor } from "../../given/server.ts";
import { doorClient, someFacts } from "../../given/workers.ts";

const MAX_OPEN = 512;
const MORE = 20;
const stage = sharedByFile(() => startServer({ sources: [] }));
const facts = someFacts();

test("claims that are held are limited for the token of a worker, and its beats and other workers go on", async () => {
  const worker = await doorClient(stage(), { name: "greedy" });
  const other = await doorClient(stage(), { name: "greedy" });
  const claim = { claim: "one", facts, free: 1, waitMs: 60_000 };
  const answers: Awaited<ReturnType<typeof worker.post>>[] = [];
  const held = Array.from({ length: MAX_OPEN + MORE }, async () => {
    answers.push(await worker.post("claim", claim));
  });
  await waitFor(() => answers.length === MORE || undefined);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
  const [refused] = answers;
  expect(refused?.body.detail).toContain(
    `The token of the worker "greedy" (request claim) has ${MAX_OPEN} open`,
  );
  expect((await worker.post("claim", { ...claim, waitMs: 0 })).status).toBe(429);
  expect((await worker.beat([])).status).toBe(200);
  expect((await other.post("claim", { ...claim, waitMs: 0 })).status).toBe(200);
  expect(answers).toHaveLength(MORE);
  const body = { prompt: "x", config: { worker_host: "greedy" } };
  const { run_id } = await stage().api<{ run_id: string }>("POST", "/agent/run", body);
  await Promise.all(held);
  const given = answers.slice(MORE);
  expect(given).toHaveLength(MAX_OPEN);
  for (const { status, body: answer } of given)
    expect([status, answer.turns]).toMatchObject([200, [{ run: { id: run_id } }]]);
});

test("a beat that is held is answered when its process sends the next one", async () => {
  const worker = await doorClient(stage(), { name: "twice" });
  const first = worker.beat([], { waitMs: 60_000 });
  await waitFor(async () => {
    const { workers } = await stage().api<{ workers: { name: string; state: string }[] }>("GET", "/workers");
    return workers.some(({ name, state }) => name === "twice" && state === "connected") || undefined;
  });
  const second = worker.beat([], { waitMs: 60_000 });
  expect(await Promise.race([first, second])).toMatchObject({ status: 200, body: { turns: [] } });
  await worker.beat([]);
  expect((await second).status).toBe(200);
});

test("a beat that names more turns than its process can have is refused, and a large one is not read", async () => {
  const worker = await doorClient(stage());
  const turn = () => ({ id: randomUUID(), ticket: 1, isCancelled: false, news: "" });
  const turns = (count: number) => Array.from({ length: count }, turn);
  expect((await worker.beat(turns(2 * facts.concurrency + 16))).status).toBe(200);
  const refused = await worker.beat(turns(2 * facts.concurrency + 17));
  expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining("it names 25 turns")]);
  expect((await worker.beat([], { padding: "x".repeat(600 * 1024) })).status).toBe(413);
  const many = { ...facts, concurrency: 1_000 };
  expect((await worker.beat(turns(1_000), { facts: many })).status).toBe(200);
});
