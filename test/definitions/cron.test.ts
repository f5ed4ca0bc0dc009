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
