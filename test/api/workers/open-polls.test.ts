import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { doorClient } from "../../given/door-client.ts";
import { startServer, waitFor } from "../../given/server.ts";
import { someFacts } from "../../given/workers.ts";

const MAX_OPEN = 512;
const stage = sharedByFile(() => startServer({ sources: [] }));
const facts = someFacts();

test("claims that are held are limited for the token of a worker, and its beats and other workers go on", async () => {
  const worker = await doorClient(stage(), { name: "greedy" });
  const other = await doorClient(stage(), { name: "greedy" });
  let open = true;
  const claim = { claim: "one", facts, free: 1, waitMs: 30_000 };
  const held = Array.from({ length: MAX_OPEN + 20 }, () => worker.post("claim", claim));
  const refused = await Promise.race(held);
  const later = Promise.all(held).finally(() => {
    open = false;
  });
  expect(refused).toMatchObject({ status: 429, body: { retryable: true } });
  expect(refused.body.detail).toContain(
    `The token of the worker "greedy" (request claim) has ${MAX_OPEN} open`,
  );
  expect((await worker.post("claim", { ...claim, waitMs: 0 })).status).toBe(429);
  expect((await worker.beat([])).status).toBe(200);
  expect((await other.post("claim", { ...claim, waitMs: 0 })).status).toBe(200);
  expect(open).toBe(true);
  const body = { prompt: "x", config: { worker_host: "greedy" } };
  const { run_id } = await stage().api<{ run_id: string }>("POST", "/agent/run", body);
  const answers = await later;
  const count = (status: number) => answers.filter((each) => each.status === status).length;
  expect([count(200), count(429)]).toEqual([MAX_OPEN, 20]);
  const [first] = answers.filter(({ status }) => status === 200);
  expect(first?.body.turns).toMatchObject([{ run: { id: run_id } }]);
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
