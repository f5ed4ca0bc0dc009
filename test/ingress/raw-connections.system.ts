import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { signatureWebhook } from "../given/definition.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { authorized, openIngress } from "../given/serving.ts";

const stage = sharedByFile(() =>
  openIngress({ "webhooks/signed.yaml": signatureWebhook("github", "CI_SECRET") }),
);

describe("over a raw connection", () => {
  test("a chunked body without a length is taken, also in the smallest pieces", async () => {
    const { url } = stage();
    const head = rawPost(url, { ...authorized, "transfer-encoding": "chunked" });
    const answer = await sendRaw(url, [head, "1\r\n{\r\n", 20, '5\r\n"n":1\r\n', 20, "1\r\n}\r\n0\r\n\r\n"], {
      answers: 1,
    });
    expect(answer.statuses).toEqual([202]);
  });

  test("a chunked body over the limit is refused, and the connection ends", async () => {
    const { url } = stage();
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const answer = await sendRaw(
      url,
      [rawPost(url, { ...authorized, "transfer-encoding": "chunked" }), chunk.repeat(6)],
      {
        waitMs: 3_000,
      },
    );
    expect(answer).toMatchObject({ statuses: [413], closed: true, reset: false });
  });

  test("a body shorter than its announced length is dropped when the sender goes, and leaves no record", async () => {
    const { story, url, uid } = stage();
    const before = (await story.deliveries(uid)).length;
    const answer = await sendRaw(url, [rawPost(url, { ...authorized, "content-length": "100" }, "{}")], {
      waitMs: 300,
    });
    expect(answer.statuses).toEqual([]);
    expect(await story.deliveries(uid)).toHaveLength(before);
  });

  test("bytes behind the announced length are another request, and a bad one ends the connection", async () => {
    const { url } = stage();
    const head = rawPost(url, { ...authorized, "content-length": "2" }, '{}{"x":1}');
    const answer = await sendRaw(url, [head]);
    expect([answer.statuses.at(-1), answer.closed]).toEqual([400, true]);
  });

  test("a length and chunks together are refused before anything is read", async () => {
    const { url } = stage();
    const head = rawPost(url, { ...authorized, "content-length": "2", "transfer-encoding": "chunked" });
    expect((await sendRaw(url, [head, "2\r\n{}\r\n0\r\n\r\n"])).statuses).toEqual([400]);
  });

  test("deliveries in a row on one connection are each answered, a refused one in their midst", async () => {
    const { url } = stage();
    const one = (n: number) => rawPost(url, { ...authorized, "content-length": "7" }, `{"p":${n}}`);
    const wrong = rawPost(url, { authorization: "Bearer no", "content-length": "7" }, '{"p":1}');
    const answer = await sendRaw(url, [one(1), wrong, one(2), one(3)], { answers: 4 });
    expect(answer.statuses).toEqual([202, 401, 202, 202]);
  });

  test("a refused body of up to 64 KB is dropped, and the connection is used again", async () => {
    const { url } = stage();
    const refused = rawPost(
      url,
      { authorization: "Bearer no", "content-length": "65536" },
      "x".repeat(65_536),
    );
    const next = rawPost(url, { ...authorized, "content-length": "7" }, '{"q":1}');
    expect((await sendRaw(url, [refused, next], { answers: 2 })).statuses).toEqual([401, 202]);
  });

  test.each([
    ["one that is not authenticated", { authorization: "Bearer no" }, 401],
    ["one that is too large", authorized, 413],
  ])(
    "a large body of %s is answered before the connection ends, without a reset",
    async (_, headers, status) => {
      const { url } = stage();
      const head = rawPost(url, { ...headers, "content-length": "900000" });
      const answer = await sendRaw(url, [head, Buffer.alloc(300_000, "x"), 50, Buffer.alloc(600_000, "x")], {
        waitMs: 4_000,
      });
      expect(answer).toMatchObject({ statuses: [status], reset: false });
      expect(answer.text).toContain("connection: close");
    },
  );

  test("a refused body that turns out to be large is answered, and then cut off without a reset", async () => {
    const { url } = stage();
    const head = rawPost(url, { authorization: "Bearer no", "transfer-encoding": "chunked" });
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    const answer = await sendRaw(url, [head, chunk.repeat(8), 100, chunk.repeat(8)], { waitMs: 4_000 });
    expect(answer).toMatchObject({ statuses: [401], closed: true, reset: false });
  });

  test("a sender of far too much, who looks for an answer only when it can send no more, finds it", async () => {
    const { url } = stage();
    const bytes = 40 * 1024 * 1024;
    const head = rawPost(url, { ...authorized, "content-length": String(bytes) });
    const answer = await sendRaw(url, [head, Buffer.alloc(bytes, "x")], { waitMs: 4_000, readsAfterMs: 300 });
    expect(answer).toMatchObject({ statuses: [413], closed: true });
  });

  test("a whole URL as the target of the request is the address that it names", async () => {
    const { url } = stage();
    const request = rawPost(url, { ...authorized, "content-length": "7" }, '{"u":1}').replace(
      "POST /",
      `POST ${new URL(url).origin}/`,
    );
    expect((await sendRaw(url, [request], { answers: 1 })).statuses).toEqual([202]);
  });

  test("a body in pieces of one byte takes no more memory than it has bytes", async () => {
    const { server, story } = stage();
    const { url } = await story.webhook("signed");
    const before = residentMb(server.pid);
    const head = rawPost(url, { "transfer-encoding": "chunked" });
    const senders = Array.from({ length: 8 }, () =>
      sendRaw(url, [head, "1\r\nx\r\n".repeat(200_000)], { waitMs: 3_000 }),
    );
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(residentMb(server.pid) - before).toBeLessThan(150);
    await Promise.all(senders);
  }, 30_000);

  test("a sender that asks before it sends is told to go on", async () => {
    const { url } = stage();
    const head = rawPost(url, { ...authorized, expect: "100-continue", "content-length": "7" });
    const { statuses } = await sendRaw(url, [head, 50, '{"e":1}'], { answers: 2 });
    expect(statuses).toEqual([100, 202]);
  });

  test.each(["gzip", "br", "deflate", "identity, gzip"])(
    "a body in the encoding %s is bytes that are not JSON",
    async (encoding) => {
      const { url } = stage();
      const body = Buffer.from(
        "1f8b0800000000000003ab562a4ecd4b5192b2520a492d2e51d2514a4eca2c01b2a00c005e2e9d4d1d000000",
        "hex",
      );
      const answer = await fetch(url, {
        method: "POST",
        body,
        headers: { ...authorized, "content-encoding": encoding },
      });
      expect(answer.status).toBe(400);
      const plain = await fetch(url, {
        method: "POST",
        body: `{"enc":"${encoding}"}`,
        headers: { ...authorized, "content-encoding": encoding },
      });
      expect(plain.status).toBe(202);
    },
  );
});

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
