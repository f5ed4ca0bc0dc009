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

  test.each([
    ["Nuuk", "America/Nuuk", "30 23 27 3 *", "2027-03-01", "2027-03-28T01:00:00"],
    ["Nuuk", "America/Nuuk", "0-59 23 * * *", "2027-03-27T12:00", "2027-03-28T01:00:00"],
    ["Scoresbysund", "America/Scoresbysund", "30 23 27 3 *", "2027-03-01", "2027-03-28T01:00:00"],
    ["Cairo, at midnight", "Africa/Cairo", "@daily", "2027-04-29T12:00", "2027-04-29T22:00:00"],
    ["Santiago, at midnight", "America/Santiago", "15,45 0 * * *", "2027-09-04T12:00", "2027-09-05T04:00:00"],
    ["Lord Howe", "Australia/Lord_Howe", "14,15 2 * 10 *", "2028-09-30T15:00", "2028-09-30T15:30:00"],
    ["Lord Howe", "Australia/Lord_Howe", "15 2 * 10 *", "2028-09-30T15:00", "2028-09-30T15:30:00"],
    ["Apia, which left out a day", "Pacific/Apia", "0 12 30 12 *", "2011-12-01", "2011-12-30T10:00:00"],
  ])(
    "in the time zone of %s (%s), %s that clocks leave out is due after %s at %s",
    (_, zone, cron, after, due) => {
      const schedule = parseCron(cron, zone);
      const start = new Date(after.includes("T") ? `${after}Z` : after);
      expect(schedule.next(start)).toEqual(at(due));
      expect(schedule.last(at(due))).toEqual(at(due));
      expect(schedule.last(new Date(at(due).getTime() - 1))?.getTime()).toBeLessThanOrEqual(start.getTime());
      expect(schedule.next(at(due))?.getTime()).toBeGreaterThan(at(due).getTime() + 600_000);
    },
  );

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

  test("what is wrong with a field is said in words of the format", () => {
    expect(() => parseCron("0 25 * * *")).toThrow(/^Invalid value for hour: 25/);
  });
});

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const [FROM, TO] = [Date.UTC(2026, 0, 1), Date.UTC(2029, 0, 1)];

/** Six zones whose clocks change in six ways, twice as many with a change that is unusual, and one without any. */
const ZONES = [
  ...["Europe/Berlin", "America/New_York", "America/Nuuk", "America/Scoresbysund", "Australia/Lord_Howe"],
  ...["Africa/Cairo", "Africa/Casablanca", "America/Santiago", "Asia/Beirut", "Pacific/Chatham"],
  ...["America/Havana", "Asia/Kathmandu"],
];
const MINUTES = ["30", "0", "14,15", "20-25", "*/20", "*/7"];
const HOURS = ["2", "23", "0,1", "1-3", "*"];
const DAYS = ["* * *", "27-31 3,9,10 *", "* * 6,0"];
const SCHEDULES = MINUTES.flatMap((minute) =>
  HOURS.flatMap((hour) => DAYS.map((day) => `${minute} ${hour} ${day}`)),
);

/** The values that a field names, without croner. */
function valuesOf(field: string, from: number, to: number): Set<number> {
  const values = field.split(",").flatMap((item) => {
    const [range = "", step = "1"] = item.split("/");
    const [first, last = first] = range === "*" ? [from, to] : range.split("-").map(Number);
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => Number(first) + n).filter(
      (value) => (value - Number(first)) % Number(step) === 0,
    );
  });
  return new Set(values);
}

function reckoner(cron: string) {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  const [minutes, hours] = [valuesOf(minute, 0, 59), valuesOf(hour, 0, 23)];
  const [days, months, weekdays] = [valuesOf(day, 1, 31), valuesOf(month, 1, 12), valuesOf(weekday, 0, 6)];
  return {
    fixed: !/[*/]/.test(minute + hour),
    shows(wall: number) {
      const clock = new Date(wall);
      return (
        minutes.has(clock.getUTCMinutes()) &&
        hours.has(clock.getUTCHours()) &&
        days.has(clock.getUTCDate()) &&
        months.has(clock.getUTCMonth() + 1) &&
        weekdays.has(clock.getUTCDay())
      );
    },
  };
}

function wallClock(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" });
  return (at) => Date.parse(`${format.format(at).replace(" ", "T")}:00Z`);
}

/** The three hours before and after each change of the clocks of a zone, as minutes and what clocks show. */
function changesOf(zone: string): [at: number, wall: number][][] {
  const wall = wallClock(zone);
  const ahead = (at: number) => wall(at) - at;
  const days = Array.from({ length: (TO - FROM) / DAY }, (_, n) => FROM + n * DAY);
  return days
    .filter((day) => ahead(day) !== ahead(day + DAY))
    .map((day) => {
      const minutes = Array.from({ length: DAY / MINUTE }, (_, n) => day + n * MINUTE);
      const change = minutes.find((at) => ahead(at) !== ahead(at + MINUTE)) ?? day;
      return Array.from({ length: 360 }, (_, n) => change + (n - 180) * MINUTE).map((at) => [at, wall(at)]);
    });
}

/** Minute by minute, what is due: what clocks show, and of a fixed time nothing twice and everything that they leave out. */
function dueIn(
  minutes: [at: number, wall: number][],
  { fixed, shows }: ReturnType<typeof reckoner>,
): number[] {
  const due: number[] = [];
  let latest = minutes[0]?.[1] ?? 0;
  for (const [at, wall] of minutes.slice(1)) {
    const from = fixed ? latest + MINUTE : wall;
    for (let shown = from; shown <= wall; shown += MINUTE) {
      if (!shows(shown)) continue;
      due.push(at);
      break;
    }
    latest = Math.max(latest, wall);
  }
  return due;
}

function firesBetween(cron: string, zone: string, from: number, to: number): number[] {
  const schedule = parseCron(cron, zone);
  const fires: number[] = [];
  for (let next = schedule.next(new Date(from)); next && next.getTime() <= to; next = schedule.next(next))
    fires.push(next.getTime());
  return fires;
}

describe("reckoned minute by minute", () => {
  test.each(ZONES)(
    "ninety schedules are due in %s when its clocks show their times, whenever they change",
    (zone) => {
      const changes = changesOf(zone);
      expect(SCHEDULES).toHaveLength(90);
      if (zone !== "Asia/Kathmandu") expect(changes.length).toBeGreaterThanOrEqual(5);
      for (const cron of SCHEDULES) {
        const reckoned = reckoner(cron);
        for (const minutes of changes) {
          const [from = 0, to = 0] = [minutes[0]?.[0], minutes.at(-1)?.[0]];
          expect(firesBetween(cron, zone, from, to), `${cron} in ${zone}`).toEqual(dueIn(minutes, reckoned));
        }
      }
    },
  );
});
