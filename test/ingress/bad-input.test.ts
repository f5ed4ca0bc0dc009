import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { serving } from "../given/serving.ts";

const TOKEN = "the-token";

const stage = sharedByFile(async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "webhooks/odd.yaml": `${TOKEN_WEBHOOK}deliveryIdHeader: constructor\n`,
    "webhooks/signed.yaml": "authMode: signature\nsignatureScheme: github\nsecretName: CI_SECRET\n",
  };
  const { server, story } = await serving(
    files,
    { CI_SECRET: TOKEN },
    { env: { MILLRACE_DELIVERIES_PER_MINUTE: "1000000", MILLRACE_FAILED_AUTH_PER_MINUTE: "1000000" } },
  );
  return { server, story, url: (await story.webhook("ci")).url, uid: (await story.webhook("ci")).uid };
});

const authorized = { authorization: `Bearer ${TOKEN}` };

describe("over a raw connection", () => {
  test("a chunked body without a length is taken, also in the smallest pieces", async () => {
    const { url } = stage();
    const head = rawPost(url, { ...authorized, "transfer-encoding": "chunked" });
    const answer = await sendRaw(url, [head, "1\r\n{\r\n", 20, '5\r\n"n":1\r\n', 20, "1\r\n}\r\n0\r\n\r\n"], {
      waitMs: 500,
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
    const answer = await sendRaw(url, [one(1), wrong, one(2), one(3)], { waitMs: 500 });
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
    expect((await sendRaw(url, [refused, next], { waitMs: 500 })).statuses).toEqual([401, 202]);
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

  test("a whole URL as the target of the request is the address that it names", async () => {
    const { url } = stage();
    const request = rawPost(url, { ...authorized, "content-length": "7" }, '{"u":1}').replace(
      "POST /",
      `POST ${new URL(url).origin}/`,
    );
    expect((await sendRaw(url, [request], { waitMs: 500 })).statuses).toEqual([202]);
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

  test.each(["__proto__", "constructor", "toString"])("a header named %s breaks nothing", async (name) => {
    const { url } = stage();
    const head = rawPost(
      url,
      {
        ...authorized,
        [name === "__proto__" ? "__PROTO__" : name]: "x",
        connection: "close",
        "content-length": "2",
      },
      "{}",
    );
    expect((await sendRaw(url, [head], { waitMs: 5_000 })).statuses).toEqual([202]);
  });

  test("headers of 40 KB are refused", async () => {
    const { url } = stage();
    const answer = await sendRaw(url, [rawPost(url, { ...authorized, "x-filler": "f".repeat(40_000) })]);
    expect(answer.statuses).toEqual([431]);
  });

  test("a sender that asks before it sends is told to go on", async () => {
    const { url } = stage();
    const head = rawPost(url, { ...authorized, expect: "100-continue", "content-length": "7" });
    expect((await sendRaw(url, [head, 50, '{"e":1}'], { waitMs: 500 })).statuses).toEqual([100, 202]);
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

test("a header named like a property of every object is a header that is not there", async () => {
  const { story } = stage();
  const { url } = await story.webhook("odd");
  const id = await story.accept(url, TOKEN, '{"odd":1}');
  expect((await story.delivery(id)).identity?.source).toBe("body_hash");
});

test("an id that is written in UTF-8 stands in the log as it was written", async () => {
  const { story, url } = stage();
  const head = rawPost(url, { ...authorized, "content-length": "8", "x-service-delivery-id": "événement-1" });
  const answer = await sendRaw(url, [Buffer.from(`${head}{"id":1}`)], { waitMs: 500 });
  const { delivery_id } = JSON.parse(/\{.*\}/.exec(answer.text)?.[0] ?? "{}");
  expect((await story.delivery(delivery_id)).identity).toEqual({
    source: "service_header",
    value: "événement-1",
  });
});

const ANSWERS = [202, 400, 401, 404, 405, 413, 429];

describe("whatever is sent,", () => {
  test("a body of any bytes is accepted or refused in words, and the next one is taken", async () => {
    const { url } = stage();
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(text)),
      fc.json().map((text) => Buffer.from(text.slice(0, Math.floor(text.length / 2)))),
    );
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const answer = await fetch(url, { method: "POST", body: bytes, headers: authorized });
        // After 60 of them, refusals are answered without a record.
        expect(isJsonText(bytes) ? [202] : [400, 429]).toContain(answer.status);
        await answer.arrayBuffer();
      }),
      { numRuns: 300 },
    );
  });

  test("a path, credential or header of any form finds no way in and breaks nothing", async () => {
    const { server, url, uid } = stage();
    const segment = fc.oneof(
      fc.string({ maxLength: 300 }).map(encodeURI),
      fc.constantFrom(
        uid,
        `${uid}%00`,
        "%2e%2e",
        "%zz",
        "__proto__",
        "constructor",
        "",
        ".",
        "..",
        "a".repeat(8_000),
      ),
    );
    const headerText = fc.string({ maxLength: 200 }).map((text) => text.replace(/[^\x20-\x7e]/g, "~").trim());
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 4 }), headerText, async (segments, header) => {
        const path = `/webhooks/w/${segments.join("/")}`;
        const answer = await fetch(server.url + path, {
          method: "POST",
          body: "{}",
          headers: { authorization: header, "x-service-delivery-id": header, "x-hub-signature-256": header },
        });
        expect(ANSWERS).toContain(answer.status);
        expect(answer.status).not.toBe(202);
        await answer.arrayBuffer();
      }),
      { numRuns: 300 },
    );
    expect(
      (await fetch(url, { method: "POST", body: '{"still":"there"}', headers: authorized })).status,
    ).toBe(202);
  });

  test("bytes that are no HTTP end their connection and no other", async () => {
    const { server, url } = stage();
    const junk = fc.uint8Array({ minLength: 1, maxLength: 500 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(junk, async (bytes) => {
        const answer = await sendRaw(url, [bytes, "\r\n\r\n"], { waitMs: 100 });
        expect(answer.statuses.every((status) => status < 500)).toBe(true);
      }),
      { numRuns: 40 },
    );
    expect((await server.fetch("/readyz")).status).toBe(200);
  });

  test("a signature header of any form is refused", async () => {
    const { story } = stage();
    const { url } = await story.webhook("signed");
    const hex = fc
      .array(fc.constantFrom(..."0123456789abcdefABCDEF=,é "), { maxLength: 100 })
      .map((all) => all.join(""));
    await fc.assert(
      fc.asyncProperty(hex, async (text) => {
        const head = rawPost(
          url,
          { "x-hub-signature-256": `sha256=${text}`, "content-length": "2", connection: "close" },
          "{}",
        );
        const answer = await sendRaw(url, [Buffer.from(head)], { waitMs: 1_000 });
        expect([401, 429]).toContain(answer.statuses[0]);
      }),
      { numRuns: 60 },
    );
  });
});

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

function isJsonText(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
