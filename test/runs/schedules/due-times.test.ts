import { describe, expect, test } from "vitest";
import { aSchedule, at, clockwork, every, onSchedule } from "../../given/clockwork.ts";
import { FACTORY } from "../../given/definition.ts";
import { aFactory } from "../../given/served.ts";
import { AT, aRun } from "../../given/store.ts";

const HOURLY = every("@hourly");
const factoryOn = (triggers: string, rest = "", time = "00:00") =>
  aFactory(onSchedule(triggers, rest), { at: at(time) });

describe("a due time of an automation", () => {
  test("fires once, when it is due and not before", async () => {
    const world = await clockwork([await factoryOn(HOURLY)]);
    for (const time of ["00:10", "00:59:59", "01:00", "01:00", "01:00:03", "01:59:59", "02:00:01"])
      await world.look(time);
    expect(await world.fired()).toEqual(["01:00:00", "02:00:00"]);
  });

  test("is meant in the time zone of the automation", async () => {
    const eleven = every("0 11 * * *");
    const world = await clockwork([await factoryOn(eleven, "millrace: { timezone: Asia/Tokyo }")]);
    for (const time of ["00:10", "02:00:01", "11:00:01"]) await world.look(time);
    expect(await world.fired()).toEqual(["02:00:00"]);
  });

  test("of a schedule of the API is meant in the time zone of that, also where an automation follows it", async () => {
    const followed = aSchedule({ cron: "0 11 * * *", timezone: "Asia/Tokyo", enabled: true });
    const triggers = `{ provider: schedule, event: cron_fired, filter: { schedule_ids: ["${followed.id}"] } }`;
    const world = await clockwork([await factoryOn(triggers, "millrace: { timezone: Europe/Berlin }")]);
    await world.store.schedules.create(followed);
    world.due.changed();
    for (const time of ["00:10", "02:00:01", "10:00:01", "11:00:01"]) await world.look(time);
    expect((await world.runs()).map(({ createdAt }) => createdAt.slice(11, 16))).toEqual(["02:00", "02:00"]);
  });

  test("says how long there is to sleep until it", async () => {
    const world = await clockwork([await factoryOn(HOURLY)]);
    expect(await world.look("00:10")).toBe(50 * 60_000);
    world.serve();
    expect(await world.look("00:11")).toBeUndefined();
  });

  test("fires once when the server starts again right after it, or right before", async () => {
    const world = await clockwork([await factoryOn(HOURLY)]);
    await world.look("01:00");
    world.restart();
    await world.look("01:00:02");
    world.restart();
    await world.look("01:59:59");
    world.restart();
    await world.look("02:00:05");
    expect(await world.fired()).toEqual(["01:00:00", "02:00:00"]);
  });

  test("fires once when two schedulers check the clock at the same time", async () => {
    const world = await clockwork([await factoryOn(HOURLY)]);
    const first = world.due;
    world.restart();
    const looks = [world.look("01:00"), first.look()];
    await Promise.all(looks);
    expect(await world.fired()).toEqual(["01:00:00"]);
  });

  test("that a store could not record is tried again, and fires once", async () => {
    const world = await clockwork([await factoryOn(HOURLY)]);
    await world.look("00:30");
    world.fire = async () => {
      throw new Error("the disk is full");
    };
    expect(await world.look("01:00")).toBeLessThanOrEqual(1_000);
    world.fire = async (...call) => {
      await world.store.schedules.fire(...call);
      throw new Error("the answer is lost");
    };
    await world.look("01:00:02");
    world.fire = world.store.schedules.fire;
    await world.look("01:00:04");
    expect(await world.fired()).toEqual(["01:00:00"]);
  });

  test("leaves no run behind without its mark, and no mark without its run", async () => {
    const { store } = await clockwork();
    const run = aRun({ id: "twice" });
    const firing = (dueAt: string) => ({ key: "k", dueAt, schedule: null, result: { run } });
    expect(await store.schedules.fire(firing(at("01:00")), AT)).toBe("fired");
    await expect(store.schedules.fire(firing(at("02:00")), AT)).rejects.toThrow();
    const marks = await store.connection.all("SELECT due_at, run_id FROM schedule_firings");
    expect(marks).toEqual([{ due_at: at("01:00"), run_id: "twice" }]);
    expect(await store.schedules.fire(firing(at("01:00")), AT)).toBe("before");
  });
});

describe("a clock that is set", () => {
  test("back comes to the same times again, and they do not fire again", async () => {
    const world = await clockwork([await factoryOn(HOURLY)]);
    for (const time of ["00:30", "01:00", "02:00", "00:45", "01:00", "01:30", "02:00", "03:00"])
      await world.look(time);
    expect(await world.fired()).toEqual(["01:00:00", "02:00:00", "03:00:00"]);
  });

  test("back behind the making of a schedule lets it fire from there", async () => {
    const world = await clockwork([await factoryOn(HOURLY, "", "10:00")]);
    for (const time of ["10:00", "08:30", "09:00"]) await world.look(time);
    expect(await world.fired()).toEqual(["09:00:00"]);
  });

  test("forward misses what it jumps over", async () => {
    const world = await clockwork([await factoryOn(HOURLY)]);
    for (const time of ["00:30", "05:30", "06:00"]) await world.look(time);
    expect(await world.fired()).toEqual(["06:00:00"]);
  });
});

describe("due times that were missed", () => {
  const ONCE = "millrace: { missed: once }\n";

  test.each(["", "millrace: { missed: skip }\n"])("start nothing by default (%s)", async (rest) => {
    const world = await clockwork([await factoryOn(HOURLY, rest)]);
    await world.look("00:30");
    world.restart();
    for (const time of ["05:30", "06:00"]) await world.look(time);
    expect(await world.fired()).toEqual(["06:00:00"]);
  });

  test("start one run for the newest of them where the automation says once, also after a crash in between", async () => {
    const world = await clockwork([await factoryOn(HOURLY, ONCE)]);
    for (const time of ["00:30", "01:00"]) await world.look(time);
    for (const time of ["05:30", "05:40"]) {
      world.restart();
      await world.look(time);
    }
    await world.look("06:00");
    expect(await world.fired()).toEqual(["01:00:00", "05:00:00", "06:00:00"]);
  });

  test("are none where the last one has fired", async () => {
    const world = await clockwork([await factoryOn(every("0 1 21 11 *"), ONCE)]);
    await world.look("01:00");
    world.restart();
    await world.store.schedules.pruneFirings("2027-01-01T00:00:00.000Z", 50);
    await world.look("23:00");
    expect(await world.fired()).toEqual(["01:00:00"]);
  });

  test("while the factory was suspended count as missed", async () => {
    const factory = await factoryOn(HOURLY, ONCE);
    const world = await clockwork([factory]);
    await world.look("00:30");
    world.serve({
      ...factory,
      record: { ...factory.record, sync: { ...factory.record.sync, status: "suspended" } },
    });
    for (const time of ["01:00", "02:00"]) await world.look(time);
    world.serve(factory);
    await world.look("02:30");
    expect(await world.fired()).toEqual(["02:00:00"]);
  });
});

describe("a schedule begins", () => {
  test("with its definition: it has missed nothing before", async () => {
    const world = await clockwork([await factoryOn(HOURLY, "millrace: { missed: once }\n", "05:30")]);
    await world.look("05:30:01");
    world.restart();
    await world.look("05:40");
    expect(await world.fired()).toEqual([]);
  });

  test("again when its automation is changed, enabled again, or comes back", async () => {
    const once = "millrace: { missed: once }\n";
    const made = await factoryOn(HOURLY, once);
    const world = await clockwork([made]);
    const serve = async (files: Parameters<typeof aFactory>[0], time: string) =>
      world.serve(await aFactory(files, { at: at(time), before: world.factories[0] ?? made }));
    await world.look("00:30");
    await serve(onSchedule(every("30 * * * *"), once), "01:10");
    await world.look("01:10");
    await serve(onSchedule(HOURLY, `${once}enabled: false\n`), "01:20");
    for (const time of ["01:20", "02:00"]) await world.look(time);
    await serve(onSchedule(HOURLY, once), "02:30");
    await world.look("02:30");
    const { "automations/a.md": _, ...without } = onSchedule(HOURLY);
    await serve(without, "02:40");
    for (const time of ["02:40", "03:00"]) await world.look(time);
    await serve(onSchedule(HOURLY, once), "03:30");
    for (const time of ["03:30", "04:00"]) await world.look(time);
    expect(await world.fired()).toEqual(["04:00:00"]);
  });

  test("and its missed time is caught up only after its source was read: it may be deleted there", async () => {
    const made = await factoryOn(HOURLY, "millrace: { missed: once }\n");
    const stored = { ...made, wasRead: false };
    const world = await clockwork([stored]);
    expect(await world.look("05:30")).toBeLessThan(1_000);
    expect(await world.fired()).toEqual([]);
    stored.wasRead = true;
    await world.look("05:30:01");
    expect(await world.fired()).toEqual(["05:00:00"]);

    const gone = await clockwork([{ ...made, wasRead: false }]);
    await gone.look("05:30");
    gone.serve(await aFactory(FACTORY, { at: at("05:30"), before: made }));
    await gone.look("05:31");
    expect(await gone.fired()).toEqual([]);
  });

  test("but not again when something else of the definition changes", async () => {
    const files = onSchedule(HOURLY, "millrace: { missed: once }\n");
    const world = await clockwork([await aFactory(files, { at: at("00:00") })]);
    await world.look("00:30");
    const [before] = world.factories;
    const more = { ...files, "webhooks/ci.yaml": "secretName: S\n" };
    world.serve(await aFactory(more, { at: at("01:00"), ...(before ? { before } : {}) }));
    await world.look("01:20");
    expect(await world.fired()).toEqual(["01:00:00"]);
  });
});

test("each schedule of an automation fires by itself, at the same time too", async () => {
  const world = await clockwork([
    await factoryOn(`${HOURLY}, ${every("@hourly", "again")}, ${every("30 * * * *", "half")}`),
  ]);
  for (const time of ["00:10", "00:30", "01:00"]) await world.look(time);
  const runs = await world.runs();
  expect(runs.map(({ schedule }) => schedule)).toEqual([
    { name: "half", cron: "30 * * * *", timezone: "UTC" },
    { name: "a", cron: "@hourly", timezone: "UTC" },
    { name: "again", cron: "@hourly", timezone: "UTC" },
  ]);
});

test("the shortest interval loses no due time to a busy moment", async () => {
  const world = await clockwork([await factoryOn(every("@every 1s"))]);
  for (const time of ["00:00:01", "00:00:04", "00:00:04", "00:00:06"]) await world.look(time);
  expect(await world.fired()).toEqual([1, 2, 3, 4, 5, 6].map((second) => `00:00:0${second}`));
});
