import { describe, expect, test } from "vitest";
import { datedIn, frameOf, type Period, withSeries } from "../../src/insight/periods.ts";

const span = (from: string, to: string) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});
const labels = (from: string, to: string, by: Period) => frameOf(span(from, to), by).division?.labels;

describe("a time is divided", () => {
  test("into days, the last of which begins before its end", () => {
    expect(labels("2026-02-27T23:59:59.999Z", "2026-03-02", "day")).toEqual([
      ...["2026-02-27", "2026-02-28", "2026-03-01"],
    ]);
    expect(labels("2026-03-01", "2026-03-02T00:00:00.001Z", "day")).toEqual(["2026-03-01", "2026-03-02"]);
    expect(labels("2026-03-01", "2026-03-01", "day")).toEqual([]);
  });

  test("into weeks from Sunday on, and the first of them may begin before it", () => {
    // The 1st of March 2026 is a Sunday.
    expect(labels("2026-02-28T12:00:00Z", "2026-03-09", "week")).toEqual([
      ...["2026-02-22", "2026-03-01", "2026-03-08"],
    ]);
    expect(labels("2026-03-01", "2026-03-08", "week")).toEqual(["2026-03-01"]);
  });

  test("into months, whatever day it begins on", () => {
    expect(labels("2026-01-31", "2026-04-01", "month")).toEqual([
      ...["2026-01-01", "2026-02-01", "2026-03-01"],
    ]);
  });

  test("into 365 periods at most", () => {
    expect(labels("2025-01-01", "2026-01-01", "day")).toHaveLength(365);
    expect(() => labels("2025-01-01", "2026-01-01T00:00:00.001Z", "day")).toThrow(/more than 365 periods/);
    expect(labels("2019-01-06", "2026-01-04", "week")).toHaveLength(365);
    expect(() => labels("0001-01-01", "9999-01-01", "month")).toThrow(/more than 365 periods/);
  });
});

test("figures are of what lies in the time, and each period has its own part of it", () => {
  const frame = frameOf(span("2026-03-01T12:00:00Z", "2026-03-09"), "week");
  const instants = [
    ...["2026-03-01T11:59:59.999Z", "2026-03-01T12:00:00.000Z", "2026-03-07T23:59:59.999Z"],
    ...["2026-03-08T00:00:00.000Z", "2026-03-09T00:00:00.000Z"],
  ];
  const dated = datedIn(frame, [...instants, null], (instant) => instant);
  expect(withSeries(frame, (pick) => ({ found: pick(dated).length }))).toEqual({
    found: 3,
    series: [{ found: 2 }, { found: 1 }],
  });
  expect(withSeries({ span: frame.span }, (pick) => ({ found: pick(dated).length }))).toEqual({ found: 3 });
});
