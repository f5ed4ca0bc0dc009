import { expect, test } from "vitest";
import { spansOf } from "../../../src/api/admin/activity-spans.ts";

const NOW = new Date("2026-03-10T22:45:30.000Z");

const edges = (...args: Parameters<typeof spansOf>) => {
  const { length, starts } = spansOf(...args);
  const at = (place: number) => new Date(starts.at(place) ?? 0).toISOString();
  return { seconds: length / 1_000, count: starts.length, first: at(0), last: at(-1) };
};

test("an hour is shown by minutes, a day and a week by hours, and a month by days", () => {
  expect(edges("1h", NOW, 0)).toEqual({
    seconds: 60,
    count: 60,
    first: "2026-03-10T21:46:00.000Z",
    last: "2026-03-10T22:45:00.000Z",
  });
  expect(edges("24h", NOW, 0)).toMatchObject({ seconds: 3_600, count: 24, last: "2026-03-10T22:00:00.000Z" });
  expect(edges("7d", NOW, 0)).toMatchObject({ seconds: 3_600, count: 168 });
  expect(edges("30d", NOW, 0)).toEqual({
    seconds: 86_400,
    count: 30,
    first: "2026-02-09T00:00:00.000Z",
    last: "2026-03-10T00:00:00.000Z",
  });
});

test("a day begins at midnight of the caller's time", () => {
  // 23:45 on 10 March in Berlin, 00:45 on 11 March in Kyiv, 17:45 on 10 March in Chicago.
  expect(edges("30d", NOW, 1).last).toBe("2026-03-09T23:00:00.000Z");
  expect(edges("30d", NOW, 2).last).toBe("2026-03-10T22:00:00.000Z");
  expect(edges("30d", NOW, -5).last).toBe("2026-03-10T05:00:00.000Z");
});
