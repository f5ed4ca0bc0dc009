import { describe, expect, test } from "vitest";
import { parseCron } from "../../src/definitions/cron.ts";

const at = (text: string) => new Date(`${text}Z`);

describe("a schedule", () => {
  test.each([
    ["30 4 * * *", "2026-11-21T04:30:00", "2026-11-22T04:30:00"],
    ["0 9 * * 1-5", "2026-11-20T10:00:00", "2026-11-23T09:00:00"],
    ["*/15 * * * *", "2026-11-21T10:14:59", "2026-11-21T10:15:00"],
    ["0 0 29 2 *", "2026-01-01T00:00:00", "2028-02-29T00:00:00"],
    ["@hourly", "2026-11-21T10:00:00", "2026-11-21T11:00:00"],
    ["@daily", "2026-11-21T10:00:00", "2026-11-22T00:00:00"],
    ["@midnight", "2026-11-21T10:00:00", "2026-11-22T00:00:00"],
    ["@weekly", "2026-11-21T10:00:00", "2026-11-22T00:00:00"],
    ["@monthly", "2026-11-21T10:00:00", "2026-12-01T00:00:00"],
    ["@yearly", "2026-11-21T10:00:00", "2027-01-01T00:00:00"],
    ["@annually", "2026-11-21T10:00:00", "2027-01-01T00:00:00"],
    ["@every 1h30m", "2026-11-21T10:00:00", "2026-11-21T10:30:00"],
  ])("%s is due next after %s at %s", (cron, after, due) => {
    expect(parseCron(cron).next(at(after))).toEqual(at(due));
  });

  test.each([
    ["30 4 * * *", "2026-11-21T04:30:00.000", "2026-11-21T04:30:00"],
    ["30 4 * * *", "2026-11-21T04:30:00.999", "2026-11-21T04:30:00"],
    ["30 4 * * *", "2026-11-21T04:30:01.000", "2026-11-21T04:30:00"],
    ["30 4 * * *", "2026-11-21T04:29:59.999", "2026-11-20T04:30:00"],
    ["@every 1h30m", "2026-11-21T10:30:00.000", "2026-11-21T10:30:00"],
    ["@every 1h30m", "2026-11-21T10:29:59.999", "2026-11-21T09:00:00"],
    ["@every 90s", "2026-11-21T10:31:30.999", "2026-11-21T10:31:30"],
  ])("%s was due last, as seen at %s, at %s", (cron, until, due) => {
    expect(parseCron(cron).last(at(until))).toEqual(at(due));
  });

  test.each(["30 4 * * *", "@every 1h30m"])(
    "%s is due next after a due time, and not at it again",
    (cron) => {
      const due = parseCron(cron).next(at("2026-11-21T00:00:00.001")) ?? new Date(0);
      expect(parseCron(cron).next(new Date(due.getTime() - 1))).toEqual(due);
      expect(parseCron(cron).next(due)?.getTime()).toBeGreaterThan(due.getTime());
      expect(parseCron(cron).last(due)).toEqual(due);
    },
  );

  test.each([
    [
      "before summer time",
      "0 9 * * *",
      "2027-03-27T00:00:00",
      ["2027-03-27T08:00:00", "2027-03-28T07:00:00"],
    ],
    [
      "a fixed time in the hour that is missing",
      "30 2 * * *",
      "2027-03-27T12:00:00",
      ["2027-03-28T01:00:00", "2027-03-29T00:30:00"],
    ],
    [
      "a step in the hour that is missing",
      "*/30 2 * * *",
      "2027-03-27T12:00:00",
      ["2027-03-29T00:00:00", "2027-03-29T00:30:00"],
    ],
    [
      "every hour around the one that is missing",
      "0 * * * *",
      "2027-03-28T00:00:00",
      ["2027-03-28T01:00:00", "2027-03-28T02:00:00"],
    ],
    [
      "a fixed time in the hour that comes twice",
      "30 2 * * *",
      "2026-10-24T12:00:00",
      ["2026-10-25T00:30:00", "2026-10-26T01:30:00"],
    ],
    [
      "a step in the hour that comes twice",
      "*/30 2 * * *",
      "2026-10-25T00:15:00",
      ["2026-10-25T00:30:00", "2026-10-25T01:00:00"],
    ],
    ["an interval", "@every 12h", "2026-10-25T00:00:00", ["2026-10-25T12:00:00", "2026-10-26T00:00:00"]],
  ])("in the time zone of Berlin, %s (%s): after %s it is due at %s", (_, cron, after, due) => {
    const schedule = parseCron(cron, "Europe/Berlin");
    const [first, second] = due.map(at);
    expect(schedule.next(at(after))).toEqual(first);
    expect(schedule.next(first as Date)).toEqual(second);
    expect(schedule.last(second as Date)).toEqual(second);
    expect(schedule.last(new Date((second as Date).getTime() - 1))).toEqual(first);
  });

  test("is in UTC, whatever the zone of the machine", () => {
    expect(parseCron("0 2 * * *").next(at("2026-03-29T00:00:00"))).toEqual(at("2026-03-29T02:00:00"));
  });

  test.each(["0 9 30 2 *", "@every 99999999h", "@every 2500000000h"])("%s is never due", (cron) => {
    expect(parseCron(cron).next(at("2026-11-21T10:00:00"))).toBeUndefined();
  });

  test.each([
    "",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* * 32 * *",
    "@noon",
    "@every",
    "@every 0s",
    "@every 5",
    "@every 1h x",
    "TZ=UTC * * * * *",
    "* * * * mon#9",
  ])("%s is none", (cron) => {
    expect(() => parseCron(cron)).toThrow();
  });
});
