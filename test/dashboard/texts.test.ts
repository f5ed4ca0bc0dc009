import { describe, expect, test } from "vitest";
import { linesWith, NO_TEXT, withPieces } from "../../dashboard/src/pages/run/transcript/transcript-lines.ts";
import { runQueryOf } from "../../dashboard/src/pages/runs/run-filters.ts";
import { silence } from "../../dashboard/src/pages/webhooks/silence.ts";
import { sizeText } from "../../dashboard/src/parts/size-text.ts";
import { commitUrl, fileUrl } from "../../dashboard/src/parts/source-links.ts";
import { durationText, timeSince } from "../../dashboard/src/parts/time/time-text.ts";

const out = (text: string) => ({ text, stream: "stdout" as const, turn: 1 });
const err = (text: string) => ({ text, stream: "stderr" as const, turn: 1 });
const linesOf = (...batches: ReturnType<typeof out | typeof err>[][]) =>
  batches.reduce(withPieces, NO_TEXT).lines.map(({ text, isError }) => (isError ? `! ${text}` : text));

describe("the lines of a transcript", () => {
  test.each([
    ["whole lines", [[out("a\nb\n")]], ["a", "b"]],
    ["a line in two pieces", [[out("a")], [out("b\nc")]], ["ab", "c"]],
    ["a piece that ends with its line", [[out("a\n")], [out("b")]], ["a", "b"]],
    ["empty lines", [[out("a\n\n\nb")]], ["a", "", "", "b"]],
    ["the other stream in the middle of a line", [[out("a"), err("e\n"), out("b\n")]], ["a", "! e", "b"]],
    ["a bar of progress", [[out("10 %\r20 %\r"), out("30 %\n")]], ["30 %"]],
    ["lines that end as on Windows", [[out("a\r\nb\r\n")]], ["a", "b"]],
    ["a return in one piece and its line's end in the next", [[out("a\r")], [out("\nb\n")]], ["a", "b"]],
    ["nothing", [[]], []],
  ])("%s", (_, batches, lines) => {
    expect(linesOf(...batches)).toEqual(lines);
  });

  test("are found whatever the case is", () => {
    const { lines } = withPieces(NO_TEXT, [out("One\ntwo\nTHREE one\n")]);
    expect([linesWith(lines, "one"), linesWith(lines, "none"), linesWith(lines, "")]).toEqual([
      [0, 2],
      [],
      [],
    ]);
  });
});

describe("a source leads to its host", () => {
  const source = (url: string, path = ".") => ({ url, path, branch: "main" });

  test.each([
    ["https://github.com/acme/factory.git", "https://github.com/acme/factory/commit/abc"],
    ["git@github.com:acme/factory.git", "https://github.com/acme/factory/commit/abc"],
    [
      "ssh://git@gitlab.example.com:2222/group/sub/factory.git",
      "https://gitlab.example.com/group/sub/factory/-/commit/abc",
    ],
    ["https://token@github.com/acme/factory", "https://github.com/acme/factory/commit/abc"],
    ["https://git.example.com/acme/factory.git", undefined],
    ["/srv/git/github.com/factory.git", undefined],
    ["https://notgithub.com/acme/factory", undefined],
  ])("%s", (url, link) => {
    expect(commitUrl(source(url), "abc")).toBe(link);
  });

  test("to the line of a file, below the folder of the definition", () => {
    expect(fileUrl(source("https://github.com/acme/f", "deploy"), "abc", "webhooks/a b.yaml", 3)).toBe(
      "https://github.com/acme/f/blob/abc/deploy/webhooks/a%20b.yaml#L3",
    );
  });
});

describe("a webhook is silent after", () => {
  const hour = 3_600_000;
  const now = Date.parse("2026-03-01T12:00:00Z");
  const every = (gap: number, pause: number, count = 6) =>
    Array.from({ length: count }, (_, n) => {
      return { outcome: "Accepted" as const, time: new Date(now - pause - n * gap).toISOString() };
    });

  test.each([
    ["a pause much longer than usual", every(hour, 20 * hour), true],
    ["a pause of a busy sender", every(1_000, 1.1 * hour), true],
    ["no pause that is not much longer than usual", every(hour, 5 * hour), false],
    ["no pause of a busy sender that is shorter than an hour", every(1_000, 0.9 * hour), false],
    ["too few deliveries, never", every(hour, 100 * hour, 3), false],
    ["no deliveries, never", [], false],
  ])("%s", (_, latest, isSilent) => {
    expect(silence(latest, now) !== undefined).toBe(isSilent);
  });
});

test("an address asks the API for what it names, and for nothing that it does not know", () => {
  const asked = runQueryOf(
    new URLSearchParams("state=FAILED,ERROR&q=cart&metadata=a=b,c=d=e&evil=1&limit=9999&name="),
  );
  expect(asked).toEqual({
    sort_by: "created_at",
    state: ["FAILED", "ERROR"],
    q: "cart",
    metadata: { a: "b", c: "d=e" },
  });
});

test("sizes and times are said as people say them", () => {
  expect([0, 1, 1023, 1024, 262_144, 5e9].map(sizeText)).toEqual([
    "0 bytes",
    "1 byte",
    "1023 bytes",
    "1.0 KB",
    "256.0 KB",
    "4.7 GB",
  ]);
  expect([0, 999, 1_000, 61_000, 3_660_000].map(durationText)).toEqual([
    "0 ms",
    "999 ms",
    "1 s",
    "1 min 1 s",
    "1 h 1 min",
  ]);
  const now = Date.parse("2026-03-01T12:00:00Z");
  expect(
    ["2026-03-01T11:59:58Z", "2026-03-01T11:57:00Z", "2026-02-27T12:00:00Z"].map((at) => timeSince(at, now)),
  ).toEqual(["just now", "3 min. ago", "2 days ago"]);
});
