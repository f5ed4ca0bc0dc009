import { expect, test } from "vitest";
import { describeDuration, formatDuration, isoDuration, parseDuration } from "../../src/time/duration.ts";

test.each([
  ["500ms", 500],
  ["0s", 0],
  ["90s", 90_000],
  ["5m", 300_000],
  ["2h", 7_200_000],
  ["3d", 259_200_000],
])("%s is a duration", (text, milliseconds) => {
  expect(parseDuration(text, ["ms", "s", "m", "h", "d"])).toBe(milliseconds);
});

test.each(["", "5", "m", "-5m", "1.5h", "5 m", "5M", "5m ", "1h30m", "1w"])(
  "%j is not a duration",
  (text) => {
    expect(parseDuration(text, ["ms", "s", "m", "h", "d"])).toBeUndefined();
  },
);

test("a unit that is not asked for is not read", () => {
  expect(parseDuration("1h", ["ms", "s", "m"])).toBeUndefined();
});

test.each([
  [0, "0ms"],
  [1_500, "1500ms"],
  [3_000, "3s"],
  [300_000, "5m"],
  [5_400_000, "90m"],
  [172_800_000, "48h"],
])("%i ms are written in the largest unit that leaves nothing over", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test.each([
  [62, "62 ms", "PT0.062S"],
  [4_200, "4.2 s", "PT4.2S"],
  [200_000, "3 min 20 s", "PT3M20S"],
  [7_500_000, "2 h 5 min", "PT2H5M0S"],
])("%i ms are printed for people and for programs", (milliseconds, text, iso) => {
  expect([describeDuration(milliseconds), isoDuration(milliseconds)]).toEqual([text, iso]);
});
