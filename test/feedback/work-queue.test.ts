import { expect, test } from "vitest";
import { createWorkQueue } from "../../src/concurrency/work-queue.ts";
import { onFinished } from "../given/cleanup.ts";
import { waitFor } from "../given/server.ts";

/** A queue whose work ends when the test says so; it tries again what has failed as soon as it can. */
function given({ retries = Number.POSITIVE_INFINITY } = {}) {
  const stopping = new AbortController();
  onFinished(() => stopping.abort());
  const begun: string[] = [];
  const failed: { key: string; count: number }[] = [];
  let running: { end(error?: Error): void } | undefined;
  const queue = createWorkQueue({
    signal: stopping.signal,
    work: (key, failures) =>
      new Promise((resolve, reject) => {
        begun.push(`${key} ${failures}`);
        stopping.signal.addEventListener("abort", () => reject(stopping.signal.reason));
        running = { end: (error) => (error ? reject(error) : resolve()) };
      }),
    onFailure(key, _error, { count }) {
      failed.push({ key, count });
      return count > retries ? undefined : 0;
    },
  });
  const next = async (error?: Error) => {
    const before = await waitFor(() => running);
    running = undefined;
    before.end(error);
  };
  return { queue, begun, failed, next, stop: () => stopping.abort() };
}

test("work that is added twice is done once, and once more when it was added while it was done", async () => {
  const { queue, begun, next } = given();
  for (const key of ["a", "b", "a", "b"]) queue.add(key);
  await waitFor(() => begun.length === 1);
  queue.add("a");
  await next();
  await next();
  await next();
  await waitFor(() => queue.waiting === 0);
  expect(begun).toEqual(["a 0", "b 0", "a 0"]);
});

test("work that fails is retried after the others, as often as the queue is set to", async () => {
  const { queue, begun, failed, next } = given({ retries: 2 });
  for (const key of ["bad", "good"]) queue.add(key);
  const error = new Error("No.");
  await next(error);
  await next();
  await next(error);
  await next(error);
  await waitFor(() => queue.waiting === 0);
  expect(begun).toEqual(["bad 0", "good 0", "bad 1", "bad 2"]);
  expect(failed.map(({ count }) => count)).toEqual([1, 2, 3]);
});

test("work that is added again after failures starts with a failure count of zero", async () => {
  const { queue, begun, next } = given();
  queue.add("a");
  await next(new Error("No."));
  await waitFor(() => begun.length === 2);
  queue.add("a");
  await next(new Error("No."));
  await waitFor(() => begun.length === 3);
  expect(begun).toEqual(["a 0", "a 1", "a 0"]);
});

test("the queue ends with its signal, whatever is being done or waits", async () => {
  const { queue, begun, failed, stop } = given();
  for (const key of ["a", "b"]) queue.add(key);
  await waitFor(() => begun.length === 1);
  stop();
  await queue.ended();
  expect([begun, failed]).toEqual([["a 0"], []]);
});

test("work that has failed and waits is not done earlier when somebody makes sure of it", async () => {
  const stopping = new AbortController();
  onFinished(() => stopping.abort());
  const begun: string[] = [];
  const queue = createWorkQueue({
    signal: stopping.signal,
    async work(key, failures) {
      begun.push(`${key} ${failures}`);
      throw new Error("No.");
    },
    onFailure: () => 60_000,
  });
  queue.ensure("a");
  await waitFor(() => begun.length === 1 && queue.waiting === 1);
  queue.ensure("a");
  queue.ensure("b");
  await waitFor(() => begun.length === 2 && queue.waiting === 2);
  expect(begun).toEqual(["a 0", "b 0"]);
  queue.add("a");
  await waitFor(() => begun.length === 3);
  expect(begun).toEqual(["a 0", "b 0", "a 0"]);
});
