import { describe, expect, test } from "vitest";
import { paletteColour } from "../../dashboard/src/pages/run/transcript/palette.ts";
import { styleAfter } from "../../dashboard/src/pages/run/transcript/terminal-style.ts";
import { NO_TEXT, withPieces } from "../../dashboard/src/pages/run/transcript/transcript-lines.ts";

const written = (text: string) => text.replaceAll("^", "\u001b");
const styles = (...pieces: string[]) =>
  pieces
    .map((text) => [{ text: written(text), stream: "stdout" as const }])
    .reduce(withPieces, NO_TEXT)
    .lines.map(({ style }) => style.replaceAll("\u001b", "^"));

describe("a line begins in the style that the lines before it have left", () => {
  test.each<[string, string[], string[]]>([
    ["none", ["a\nb"], ["", ""]],
    ["a colour over several lines", ["^[31ma\nb\nc^[0m\nd"], ["", "^[31m", "^[31m", ""]],
    ["in several pieces", ["^[31ma\nb", "c\nd"], ["", "^[31m", "^[31m"]],
    ["a colour and a weight", ["^[1;31ma\nb^[22m\nc"], ["", "^[1m^[31m", "^[31m"]],
    ["one colour after another", ["^[31ma^[32m\nb^[39m\nc"], ["", "^[32m", ""]],
    ["an empty reset", ["^[31ma^[m\nb"], ["", ""]],
    ["one of 256 colours", ["^[38;5;208ma\nb"], ["", "^[38;5;208m"]],
    ["one of all colours, and bold", ["^[38;2;1;2;3;1ma\nb"], ["", "^[38;2;1;2;3m^[1m"]],
    ["a background with a colour", ["^[41m^[31ma\nb^[49m\nc"], ["", "^[41m^[31m", "^[31m"]],
    ["a bar of progress in another colour", ["^[31m10 %\r^[32m20 %\r", "^[33m30 %\nb"], ["^[32m", "^[33m"]],
  ])("%s", (_, pieces, expected) => {
    expect(styles(...pieces)).toEqual(expected);
  });

  test("however often it changes, it stays short", () => {
    const style = styleAfter("", written("^[31m^[1m^[44m^[38;5;200m".repeat(1_000)));
    expect(style.length).toBeLessThan(30);
  });
});

test("the colours of the palette are those of terminals", () => {
  expect([16, 21, 208, 231, 232, 255].map(paletteColour)).toEqual([
    "0, 0, 0",
    "0, 0, 255",
    "255, 135, 0",
    "255, 255, 255",
    "8, 8, 8",
    "238, 238, 238",
  ]);
});
