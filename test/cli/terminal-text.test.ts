import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { terminalText } from "../../src/cli/terminal-text.ts";

const RED = "\x1b[31m";
const COLOUR = new RegExp(`${"\x1b"}\\[[\\d;:]*m`, "g");
const PLAIN = "\x1b[0m";

/** What a terminal gets of a transcript that comes in these pieces. */
function shown(...pieces: string[]): string {
  const text = terminalText();
  return pieces.map((piece) => text.take(Buffer.from(piece))).join("") + text.end();
}

describe("what an agent wrote, on a terminal,", () => {
  test.each([
    ["colours", `${RED}red\x1b[1;38;5;196;48;2;1;2;3m${PLAIN}\n`, undefined],
    ["line ends and tabs", "a\tb\r\nc\n", "a\tb\nc\n"],
    ["letters of every script", "čaj ☕ 茶 👩‍👩‍👧\n", undefined],
    ["the title of the window", "\x1b]0;owned\x07", "\\x1b]0;owned\\x07"],
    ["the clipboard", "\x1b]52;c;bWFsd2FyZQ==\x1b\\", "\\x1b]52;c;bWFsd2FyZQ==\\x1b\\"],
    ["a cleared screen", "\x1b[2J\x1b[H", "\\x1b[2J\\x1b[H"],
    ["a question that the terminal would answer", "\x1b[6n\x1b[c", "\\x1b[6n\\x1b[c"],
    ["hidden text", "\x1b[8mhidden\x1b[1;8m", "\\x1b[8mhidden\\x1b[1;8m"],
    ["a line that is written over", "rm -rf /\rls", "rm -rf /\\x0dls"],
    ["erased letters", "no\b\byes\x7f", "no\\x08\\x08yes\\x7f"],
    ["escapes of one character", "\x9b31m\x90q\x9c", "\\x9b31m\\x90q\\x9c"],
    ["text that reads backwards", "abc\u202edef\u2066", "abc\\u202edef\\u2066"],
  ])("shows %s", (_, wrote, expected) => {
    expect(shown(wrote).replaceAll(PLAIN, "")).toBe((expected ?? wrote).replaceAll(PLAIN, ""));
  });

  test("is the same in however many pieces it comes", () => {
    const piece = fc.oneof(
      fc.constantFrom("\x1b", "[", "31", ";", "m", "\r", "\n", "é", "☕", "\x9b", "8", "]0;", "\x07", "x"),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
        (parts, cuts) => {
          const whole = Buffer.from(parts.join(""));
          const text = terminalText();
          let inPieces = "";
          for (let at = 0; at < whole.length; ) {
            const next = at + (cuts.next().value ?? 1);
            inPieces += text.take(whole.subarray(at, next));
            at = next;
          }
          expect(inPieces + text.end()).toBe(shown(parts.join("")));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("never has an escape but that of a colour", () => {
    const sequence = fc
      .tuple(fc.constantFrom("\x1b", "\x9b", "\x1b[", "\x1b]"), fc.string({ maxLength: 5 }))
      .map((it) => it.join(""));
    fc.assert(
      fc.property(fc.array(sequence, { maxLength: 6 }), (parts) => {
        const left = shown(...parts).replace(COLOUR, "");
        expect(left).not.toMatch(/[^\P{Cc}\t\n]/u);
      }),
      { numRuns: 500 },
    );
  });

  test("leaves the terminal without a colour of its own", () => {
    expect(shown(`${RED}red`)).toBe(`${RED}red${PLAIN}`);
    expect(shown("plain")).toBe("plain");
  });
});
