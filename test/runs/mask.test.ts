import fc from "fast-check";
import { expect, test } from "vitest";
import { createMasker } from "../../src/runs/mask.ts";

function maskAll(secrets: string[], chunks: Buffer[]): string {
  const masker = createMasker(secrets);
  return Buffer.concat([...chunks.map((chunk) => masker.push(chunk)), masker.end()]).toString("latin1");
}

test("a secret is masked wherever the stream is cut", () => {
  const text = Buffer.from("before s3cret-value after s3cret-value");
  for (let cut = 0; cut <= text.length; cut += 1) {
    expect(maskAll(["s3cret-value"], [text.subarray(0, cut), text.subarray(cut)])).toBe(
      "before ******** after ********",
    );
  }
});

test("no secret is seen, and nothing else is lost, however the stream is cut", () => {
  const secrets = ["abcab", "bcabca", "aaaa", "ümläut"];
  const pieces = fc.array(fc.constantFrom("a", "b", "c", "abcab", "ümläut", "aaaa", "x", "ab"), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(60)), (parts, cuts) => {
      const bytes = Buffer.from(parts.join(""));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      const masked = maskAll(secrets, chunks);
      for (const secret of secrets)
        expect(masked.includes(Buffer.from(secret).toString("latin1"))).toBe(false);
      if (
        !secrets.some((secret) => bytes.toString("latin1").includes(Buffer.from(secret).toString("latin1")))
      ) {
        expect(masked).toBe(bytes.toString("latin1"));
      }
    }),
    { numRuns: 3_000 },
  );
});

test("bytes that are no text pass as they are", () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  const masker = createMasker(["s3cret-value"]);
  expect(Buffer.concat([masker.push(bytes), masker.end()])).toEqual(bytes);
});
