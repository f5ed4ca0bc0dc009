import { describe, expect, test } from "vitest";
import {
  type CallOptions,
  ConnectionError,
  ConnectionTimeoutError,
  Millrace,
} from "../../src/client/client.ts";
import { mayRetry, retryDelayMs } from "../../src/client/send.ts";
import { freePort } from "../given/port.ts";
import {
  ok,
  type Received,
  refusal,
  reset,
  type Step,
  scriptedServer,
  silence,
} from "../given/scripted-server.ts";
import { waitFor } from "../given/server.ts";

const RUN = { run_id: "r1" };

async function attemptsOf(steps: Step[], options: CallOptions = {}) {
  const { url, received } = await scriptedServer(...steps);
  const client = new Millrace({ baseUrl: url, apiKey: "k" });
  const outcome = await client.runs.create({ prompt: "p" }, options).then(
    () => "done",
    (error: Error) => error.name,
  );
  return { outcome, received };
}

const keysOf = (received: Received[]) => new Set(received.map(({ headers }) => headers["idempotency-key"]));

describe("a call is made again", () => {
  test.each([
    ["408", refusal(408, "timeout")],
    ["409", refusal(409, "conflict")],
    ["429", refusal(429, "rate_limited")],
    ["500", refusal(500, "internal_error")],
    ["503", refusal(503, "service_unavailable")],
    ["a connection that is reset", reset],
    ["an answer that breaks off", breaksOff],
  ])("after %s, and is still one call", async (_, step) => {
    const { outcome, received } = await attemptsOf([step, ok(RUN)]);
    expect([outcome, received.length]).toEqual(["done", 2]);
    const [key, another] = keysOf(received);
    expect([key, another]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), undefined]);
    expect(received.map(({ body }) => body)).toEqual(['{"prompt":"p"}', '{"prompt":"p"}']);
  });

  test("until it has been made often enough", async () => {
    const { outcome, received } = await attemptsOf([refusal(503, "service_unavailable")]);
    expect([outcome, received.length, keysOf(received).size]).toEqual(["InternalServerError", 3, 1]);
    const often = await attemptsOf([refusal(429, "rate_limited")], { maxRetries: 4 });
    expect([often.outcome, often.received.length]).toEqual(["RateLimitError", 5]);
    const once = await attemptsOf([refusal(409, "conflict")], { maxRetries: 0 });
    expect([once.outcome, once.received.length]).toEqual(["ConflictError", 1]);
  });

  test("under the key of the caller, and two calls are two", async () => {
    const given = await attemptsOf([refusal(500, "internal_error"), ok(RUN)], { idempotencyKey: "mine" });
    expect([...keysOf(given.received)]).toEqual(["mine"]);
    const { url, received } = await scriptedServer(ok(RUN));
    const client = new Millrace({ baseUrl: url });
    await client.runs.create({ prompt: "p" });
    await client.runs.followup("r1", { message: "m" });
    await client.runs.get("r1");
    expect(keysOf(received).size).toBe(3);
    expect(received[2]?.headers["idempotency-key"]).toBeUndefined();
  });
});

test.each<[string, (client: Millrace) => Promise<unknown>]>([
  ["a new webhook", (client) => client.webhooks.create("f", { name: "n" })],
  ["a rotation", (client) => client.webhooks.rotateSecret("f", "w")],
  ["a new API key", (client) => client.apiKeys.create({ name: "n" })],
  ["a redelivery", (client) => client.deliveries.redeliver("f", "d")],
  ["a test delivery", (client) => client.webhooks.sendTestDelivery("f", "w")],
])(
  "%s is asked for again under one key, so that it is done once and nothing is lost with an answer",
  async (_, call) => {
    const { url, received } = await scriptedServer(reset, ok({}));
    await call(new Millrace({ baseUrl: url }));
    const [key, another] = keysOf(received);
    expect([received.length, key, another]).toEqual([2, expect.stringMatching(/^[0-9a-f]{32}$/), undefined]);
  },
);

describe("a call is not made again", () => {
  test.each([400, 401, 403, 404, 405, 412, 413, 422])("after %d", async (status) => {
    const { received } = await attemptsOf([refusal(status, "x"), ok(RUN)]);
    expect(received).toHaveLength(1);
  });
});

describe("the word of the server wins:", () => {
  test("x-should-retry: false", async () => {
    const steps = [refusal(503, "service_unavailable", { "x-should-retry": "false" }), ok(RUN)];
    expect((await attemptsOf(steps)).received).toHaveLength(1);
  });

  test("x-should-retry: true", async () => {
    const steps = [refusal(400, "invalid_request", { "x-should-retry": "true" }), ok(RUN)];
    expect(await attemptsOf(steps)).toMatchObject({ outcome: "done", received: { length: 2 } });
  });

  test("an unknown value leaves it to the status", () => {
    const answer = (status: number) => new Response(null, { status, headers: { "x-should-retry": "maybe" } });
    expect([mayRetry(answer(503)), mayRetry(answer(404))]).toEqual([true, false]);
  });
});

describe("before the next attempt goes by", () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const inSeconds = (seconds: number) => new Date(now + seconds * 1_000).toUTCString();

  test.each([
    ["whole seconds", "7", 7_000],
    ["parts of a second", "0.25", 250],
    ["a minute at most", "60", 60_000],
    ["a date", inSeconds(5), 5_000],
  ])("what Retry-After says: %s", (_, header, delay) => {
    expect(retryDelayMs(0, header, now, 0)).toBe(delay);
  });

  test.each(["0", "-1", "61", "soon", "", inSeconds(0), inSeconds(-5), inSeconds(61)])(
    "its own time, when Retry-After is %j",
    (header) => {
      expect(retryDelayMs(0, header, now, 0)).toBe(500);
    },
  );

  test("a time that doubles up to eight seconds, less up to a quarter", () => {
    const delays = [0, 1, 2, 3, 4, 5, 50].map((attempt) => retryDelayMs(attempt, null, now, 0));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(retryDelayMs(4, null, now, 1)).toBe(6_000);
  });
});

describe("without an answer", () => {
  test("each attempt is given up after its time", async () => {
    const { url, received } = await scriptedServer(silence);
    const client = new Millrace({ baseUrl: url, timeoutMs: 500, maxRetries: 1 });
    const error = await client.runs.get("x").catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConnectionTimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toBe(`GET ${url}/api/v1/agent/runs/x timed out after 500 ms.`);
    expect(received).toHaveLength(2);
  });

  test("a document that stops half way is given up too", async () => {
    const { url, received } = await scriptedServer((response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"run_id":');
    });
    const client = new Millrace({ baseUrl: url });
    const asked = client.runs.get("x", {}, { timeoutMs: 500, maxRetries: 0 });
    await expect(asked).rejects.toBeInstanceOf(ConnectionTimeoutError);
    expect(received).toHaveLength(1);
  });

  test("a missing server is an error with its reason", async () => {
    const client = new Millrace({ baseUrl: `http://127.0.0.1:${await freePort()}`, maxRetries: 0 });
    const error = await client.runs.get("x").catch((error: unknown) => error);
    expect(error).toMatchObject({
      name: "ConnectionError",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

describe("a call that is aborted ends with the platform's error", () => {
  test("before it is made, while it is made, and while it waits for the next attempt", async () => {
    const { url, received } = await scriptedServer(silence, refusal(503, "x", { "retry-after": "60" }));
    const client = new Millrace({ baseUrl: url });
    await expect(client.runs.get("x", {}, { signal: AbortSignal.abort() })).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
    for (const made of [1, 2]) {
      const abort = new AbortController();
      const asked = client.runs.get("x", {}, { signal: abort.signal });
      await Promise.race([asked.catch(() => {}), waitFor(() => received.length === made || undefined)]);
      abort.abort();
      await expect(asked).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    }
    expect(received).toHaveLength(2);
  });
});

function breaksOff(...[response]: Parameters<Extract<Step, (...given: never[]) => void>>): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write('{"run_id":', () => response.socket?.resetAndDestroy());
}
