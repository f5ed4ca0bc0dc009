import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMasking } from "../../../src/secrets/masking/mask.ts";

const SECRET = 'p4ss wörd/+&~\'(x)*"quoted"';

function masked(secret: string, text: string | Buffer): string {
  const masker = createMasking([secret])();
  return Buffer.concat([masker.push(Buffer.from(text)), masker.end()]).toString("latin1");
}

const lowerHex = (text: string) => text.replace(/%../g, (code) => code.toLowerCase());
const everyByte = [...Buffer.from(SECRET)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

describe("a secret is masked", () => {
  test.each([
    ["percent-encoded", encodeURIComponent(SECRET)],
    ["percent-encoded in lower case", lowerHex(encodeURIComponent(SECRET))],
    ["as a field of a form", new URLSearchParams({ s: SECRET }).toString().slice(2)],
    [
      "as a path, whose slashes stay",
      encodeURIComponent(SECRET)
        .replaceAll("%2F", "/")
        .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    ],
    ["with every byte encoded", everyByte],
    ["between the quotes of JSON", JSON.stringify({ s: SECRET }).slice(6, -2)],
    ["in base64 without padding", Buffer.from(SECRET).toString("base64").replace(/=+$/, "")],
    ["in base64 for URLs", Buffer.from(SECRET).toString("base64url")],
    ["in base64 with padding", Buffer.from(SECRET).toString("base64")],
  ])("%s", (_, form) => {
    expect(masked(SECRET, `before ${form} after`)).toBe("before ******** after");
  });
});

/** A text broken into lines of a width. */
const inLines = (text: string, width: number, lineBreak: string) =>
  (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(lineBreak);

test.each([
  ["as base64 prints it", 76, "\n"],
  ["as mail has it", 76, "\r\n"],
  ["after every character", 1, "\r\n"],
  ["with empty lines between", 1, "\n\n"],
  ["with line breaks the wrong way round", 1, "\n\r"],
])("a secret in base64 that is broken into lines is masked: %s", (_, width, lineBreak) => {
  const secret = "s3cret-value ".repeat(12);
  const form = inLines(Buffer.from(secret).toString("base64"), width, lineBreak);
  expect(masked(secret, `before ${form} after`)).toBe("before ******** after");
});

test("of a secret in broken base64 three more letters are left at most than without line breaks, however the stream is cut", () => {
  const bytes = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(
      bytes,
      bytes,
      fc.integer({ min: 1, max: 80 }),
      fc.constantFrom("\n", "\r\n", "\r", "\n\n", "\n\r"),
      fc.array(fc.nat(200)),
      (before, after, width, lineBreak, cuts) => {
        const whole = Buffer.concat([before, Buffer.from(SECRET), after]).toString("base64");
        const text = Buffer.from(inLines(whole, width, lineBreak));
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const masker = createMasking([SECRET])();
        const pieces = places.slice(1).map((end, index) => masker.push(text.subarray(places[index], end)));
        const shown = Buffer.concat([...pieces, masker.end()]).toString("latin1");
        const [left = "", right] = shown.replace(/[\r\n]/g, "").split("********");
        const [leftWhole = "", rightWhole] = masked(SECRET, whole).split("********");
        expect([left.slice(0, leftWhole.length), right]).toEqual([leftWhole, rightWhole]);
        // What a piece ended with whose last byte was of a line break.
        expect(left.length - leftWhole.length).toBeLessThanOrEqual(3);
      },
    ),
    { numRuns: 700 },
  );
});

test("a line is shown when it has come, also when it ends like a secret in base64 begins", () => {
  const masker = createMasking([SECRET])();
  const form = Buffer.from(SECRET).toString("base64");
  const line = `first${form.slice(0, 3)}\n`;
  expect(masker.push(Buffer.from(line)).toString()).toBe(line);
  expect(masker.push(Buffer.from(`${form.slice(3)} after`)).toString()).toBe("******** after");
});

test("a line that begins like a secret is not held back while only empty lines follow", () => {
  const masker = createMasking([SECRET])();
  const begin = Buffer.from(SECRET).toString("base64").slice(0, 10);
  const shown = masker.push(Buffer.from(`${begin}\n\n\n`)).toString();
  expect(shown).toBe(`${begin}\n\n\n`);
});

test("what is left of a secret in base64, wherever it stands in what is encoded, is at most a character at each end", () => {
  const ascii = fc.string({ unit: fc.constantFrom(..."abcXYZ019+/=-_ ~"), minLength: 6, maxLength: 40 });
  fc.assert(
    fc.property(
      ascii,
      fc.uint8Array({ maxLength: 7 }),
      fc.uint8Array({ maxLength: 7 }),
      fc.boolean(),
      (secret, before, after, url) => {
        const bytes = Buffer.concat([before, Buffer.from(secret), after]);
        const text = bytes.toString(url ? "base64url" : "base64");
        const shown = masked(secret, text);
        const [left = "", right = ""] = shown.split("********");
        expect(shown).toContain("********");
        expect(left.length).toBeLessThanOrEqual(Math.ceil((before.length * 8) / 6));
        // Padding after other bytes is none of the secret's.
        expect(right.replace(/=+$/, "").length).toBeLessThanOrEqual(
          Math.ceil((after.length * 8) / 6) + (after.length > 0 ? 1 : 0),
        );
      },
    ),
    { numRuns: 700 },
  );
});

test("every form is masked however the stream is cut", () => {
  const forms = [SECRET, encodeURIComponent(SECRET), everyByte, Buffer.from(SECRET).toString("base64")];
  const text = Buffer.from(forms.join("\n"));
  for (let cut = 0; cut <= text.length; cut += 1) {
    const masker = createMasking([SECRET])();
    const parts = [masker.push(text.subarray(0, cut)), masker.push(text.subarray(cut)), masker.end()];
    expect(Buffer.concat(parts).toString()).toBe(forms.map(() => "********").join("\n"));
  }
});

test("a text that begins a secret again and again costs no more than one that does not", () => {
  const secrets = Array.from({ length: 20 }, (_, index) => `${"ab".repeat(300)}${index}`);
  const measure = (text: Buffer) => {
    const masker = createMasking(secrets)();
    const begin = process.cpuUsage().user;
    for (let at = 0; at < text.length; at += 65_536) masker.push(text.subarray(at, at + 65_536));
    return process.cpuUsage(undefined).user - begin;
  };
  const size = 4 * 1024 * 1024;
  measure(Buffer.alloc(size, "ab"));
  // Without falling back in the automaton this would be 600 times as much.
  expect(measure(Buffer.alloc(size, "ab"))).toBeLessThan(100 * (measure(Buffer.alloc(size, "xy")) + 10_000));
});
