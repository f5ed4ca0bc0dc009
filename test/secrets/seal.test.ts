import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSealer } from "../../src/secrets/seal.ts";

const sealer = createSealer(randomBytes(32));

describe("a sealed value", () => {
  test("opens as what it was, in its own context only", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (value, context, other) => {
        const sealed = sealer.seal(value, context);
        expect(sealer.open(sealed, context)).toBe(value);
        if (other !== context) expect(() => sealer.open(sealed, other)).toThrow();
      }),
    );
  });

  test("does not open when any bit of it is changed", () => {
    const sealed = Buffer.from(sealer.seal("a secret", "x"));
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => sealer.open(changed, "x")).toThrow();
    }
    expect(() => sealer.open(sealed.subarray(0, 10), "x")).toThrow();
  });

  test("does not open with another key", () => {
    expect(() => createSealer(randomBytes(32)).open(sealer.seal("a secret", "x"), "x")).toThrow();
  });

  test("looks different every time, and never like the value", () => {
    const [one, two] = [sealer.seal("a secret value", "x"), sealer.seal("a secret value", "x")];
    expect(Buffer.compare(one, two)).not.toBe(0);
    expect(Buffer.from(one).includes("secret")).toBe(false);
  });
});
