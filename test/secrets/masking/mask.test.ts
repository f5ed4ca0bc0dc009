import fc from "fast-check";
import { expect, test } from "vitest";
import { createMasking } from "../../../src/secrets/masking/mask.ts";

const MASK = "********";

function maskAll(secrets: string[], chunks: Buffer[]): string {
  const masker = createMasking(secrets)();
  return Buffer.concat([...chunks.map((chunk) => masker.push(chunk)), masker.end()]).toString("latin1");
}

/** The bytes that belong to no secret, found the slow way: every secret is looked for at every place. */
function outsideOfSecrets(secrets: string[], bytes: Buffer): string {
  const inside = new Set<number>();
  for (const secret of secrets.map((value) => Buffer.from(value))) {
    for (let at = 0; at + secret.length <= bytes.length; at += 1) {
      if (!bytes.subarray(at, at + secret.length).equals(secret)) continue;
      for (let index = 0; index < secret.length; index += 1) inside.add(at + index);
    }
  }
  return [...bytes.toString("latin1")].filter((_, index) => !inside.has(index)).join("");
}

test("a secret is masked wherever the stream is cut", () => {
  const text = Buffer.from("before s3cret-value after s3cret-value");
  for (let cut = 0; cut <= text.length; cut += 1) {
    expect(maskAll(["s3cret-value"], [text.subarray(0, cut), text.subarray(cut)])).toBe(
      `before ${MASK} after ${MASK}`,
    );
  }
});

test.each(["s3cret\n", "s3cret\r\n", "s3cret\n\n"])(
  "a secret that ends with a line is masked without that end too: %j",
  (secret) => {
    expect(maskAll([secret], [Buffer.from("token=s3cret;")])).toBe(`token=${MASK};`);
  },
);

test("the rest of a longer secret is not shown when a chunk ends after a shorter one", () => {
  const secrets = ["abcd", "abcdefgh"];
  expect(maskAll(secrets, [Buffer.from("x abcd"), Buffer.from("efgh y")])).toBe(`x ${MASK} y`);
  expect(maskAll(secrets, [Buffer.from("x abcd"), Buffer.from("ef y")])).toBe(`x ${MASK}ef y`);
  expect(maskAll(secrets, [Buffer.from("x abcd")])).toBe(`x ${MASK}`);
});

test("every byte of a secret is masked, and no other is lost, however the stream is cut", () => {
  const secrets = ["abcab", "bcabca", "aaaa", "abcd", "abcdefgh", "ümläut", "ab\nabc"];
  const pieces = fc.array(
    fc.constantFrom("a", "b", "c", "abcab", "abcd", "efgh", "ümläut", "aaaa", "x", "ab", "\n"),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(60)), (parts, cuts) => {
      const bytes = Buffer.from(parts.join(""));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const masked = maskAll(secrets, chunks);
      expect(masked.replaceAll(MASK, "")).toBe(outsideOfSecrets(secrets, bytes));
      expect(masked).toBe(maskAll(secrets, [bytes]));
    }),
    { numRuns: 1_000 },
  );
});

test("a stream of nothing but the beginning of a secret is not held in memory", () => {
  const masker = createMasking(["aaaa"])();
  const shown = Array.from({ length: 100 }, () => masker.push(Buffer.from("aaaaaaaa")));
  expect(Buffer.concat([...shown, masker.end()]).toString()).toBe(MASK);
});

test("bytes that are not text pass unchanged", () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  const masker = createMasking(["s3cret-value"])();
  expect(Buffer.concat([masker.push(bytes), masker.end()])).toEqual(bytes);
});
