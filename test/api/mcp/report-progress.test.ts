import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportProgress } from "../../../src/api/mcp/mcp-server.ts";
import { deferred } from "../../../src/concurrency/promises.ts";

const MINUTE_MS = 60_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A call that is held open until the test ends it, and what its client was sent. */
function heldCall(progressToken?: string | number) {
  const sent: object[] = [];
  const { promise, resolve } = deferred<string>();
  const leaving = new AbortController();
  const call = {
    _meta: { progressToken },
    signal: leaving.signal,
    async sendNotification(notification: object) {
      sent.push(notification);
    },
  };
  return { sent, answer: resolve, leave: () => leaving.abort(), result: reportProgress(call, () => promise) };
}

test("a client that asked for progress gets it four times a minute until its call is answered", async () => {
  const { sent, answer, result } = heldCall("token");
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(sent).toMatchObject(
    [1, 2, 3, 4].map((progress) => {
      return { method: "notifications/progress", params: { progressToken: "token", progress } };
    }),
  );
  answer("Blue");
  expect(await result).toBe("Blue");
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(sent).toHaveLength(4);
});

test("the number 0 is a token as well", async () => {
  const { sent } = heldCall(0);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(sent).toHaveLength(4);
});

test("a client that did not ask for progress, or that has left, gets none", async () => {
  const quiet = heldCall();
  const gone = heldCall("token");
  gone.leave();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect([quiet.sent, gone.sent]).toEqual([[], []]);
});
