import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../given/cleanup.ts";
import { signatureWebhook } from "../given/definition.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { authorized, openIngress } from "../given/serving.ts";

const stage = sharedByFile(() =>
  openIngress({ "webhooks/signed.yaml": signatureWebhook("github", "CI_SECRET") }),
);

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
        // Node refuses headers of more than 16 KiB by itself.
        expect([...ANSWERS, 431]).toContain(answer.status);
        expect(answer.status).not.toBe(202);
        await answer.arrayBuffer();
      }),
      { numRuns: 300 },
    );
    expect(
      (await fetch(url, { method: "POST", body: '{"still":"there"}', headers: authorized })).status,
    ).toBe(202);
  });

  test("bytes that are not HTTP end their connection and no other", async () => {
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
        const answer = await sendRaw(url, [Buffer.from(head)], { answers: 1 });
        expect([401, 429]).toContain(answer.statuses[0]);
      }),
      { numRuns: 60 },
    );
  });
});

function isJsonText(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
