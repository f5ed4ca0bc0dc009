import { describe, expect, test } from "vitest";
import { aSchedule, at, clockwork, every, onSchedule } from "../../given/clockwork.ts";
import { withFactoryLines } from "../../given/definition.ts";
import { aFactory } from "../../given/served.ts";
import { aQuery } from "../../given/store.ts";

const factoryOn = (triggers: string) => aFactory(onSchedule(triggers), { at: at("00:00") });
const ID = aSchedule().id;

/** A world with one schedule of the API. */
async function withSchedule(
  changes: Parameters<typeof aSchedule>[0],
  factories: Parameters<typeof clockwork>[0] = [],
) {
  const world = await clockwork(factories);
  await world.store.schedules.create(aSchedule(changes));
  const schedule = async () => (await world.store.schedules.find(ID)) ?? expect.unreachable();
  return { world, schedule };
}

describe("the run of an automation's schedule", () => {
  test("has the automation's prompt with the schedule and the due time, and belongs to its agent", async () => {
    const world = await clockwork([await factoryOn(every("@hourly", "nightly"))]);
    await world.look("01:00:02");
    const [run] = await world.runs();
    const agent = { uid: "f-agent-boss", type: "service_account", displayName: "boss" };
    expect(run).toMatchObject({
      source: "SCHEDULED_AGENT",
      factoryUid: "f",
      automationUid: "f-automation-a",
      agentUid: "f-agent-boss",
      creator: agent,
      executor: agent,
      title: "a",
      scheduleId: "f-automation-a:nightly",
      schedule: { name: "nightly", cron: "@hourly" },
      prompt: `Do something about it.\n\n---\nThis run was started by the schedule "nightly" (@hourly, in UTC), which was due at ${at("01:00")}.`,
    });
    const { runs } = await world.store.runs.list(aQuery({ scheduleId: "f-automation-a:nightly" }));
    expect(runs).toHaveLength(1);
  });

  test("is told the time zone in which its schedule is meant", async () => {
    const zoned = onSchedule(every("0 * * * *", "nightly"), "millrace: { timezone: Asia/Kolkata }\n");
    const world = await clockwork([await aFactory(zoned, { at: at("00:00") })]);
    await world.look("00:30:02");
    const [run] = await world.runs();
    expect(run?.prompt).toContain(
      `the schedule "nightly" (0 * * * *, in Asia/Kolkata), which was due at ${at("00:30")}.`,
    );
    expect(run?.schedule).toEqual({ name: "nightly", cron: "0 * * * *", timezone: "Asia/Kolkata" });
  });

  test("is called by the automation's template, in which every field is empty", async () => {
    const titled = onSchedule(every("@hourly"), 'millrace: { title: "Report {{order.number}}" }\n');
    const world = await clockwork([await aFactory(titled, { at: at("00:00") })]);
    await world.look("01:00:02");
    expect((await world.runs()).map(({ title }) => title)).toEqual(["Report"]);
  });
});

describe("a schedule of the API", () => {
  test("starts a run of its factory's foreman, and says when", async () => {
    const { world, schedule } = await withSchedule({ factoryUid: "f" }, [await factoryOn(every("@yearly"))]);
    await world.look("01:00:02");
    const [run] = await world.runs();
    expect(run).toMatchObject({
      source: "SCHEDULED_AGENT",
      factoryUid: "f",
      automationUid: null,
      creator: { type: "service_account", displayName: "boss" },
      title: "hourly",
      scheduleId: ID,
      schedule: { name: "hourly", cron: "@hourly" },
    });
    expect(run?.prompt).toMatch(/^Look\.\n\n---\n.*due at/);
    expect(await schedule()).toMatchObject({ lastRan: at("01:00:02"), lastSpawnError: null });
  });

  test("of no factory starts a run whose creator is the person who made the schedule", async () => {
    const { world } = await withSchedule({});
    await world.look("01:00");
    expect(await world.runs()).toMatchObject([{ factoryUid: null, creator: { uid: "ann", type: "user" } }]);
  });

  test.each<[string, string[] | null, number, string | null]>([
    ["a key for some factories", ["f", "g"], 0, "is limited to some factories"],
    ["a key for the whole server", null, 1, null],
  ])("of no factory whose maker has %s starts a run or says why not", async (_, factories, runs, why) => {
    const { world, schedule } = await withSchedule({});
    await world.store.keys.create({
      ...{ id: "key", principal: aSchedule().createdBy, name: "ann", kind: "personal", role: "operator" },
      ...{ factories, prefix: "mr_", hash: "0", fromSettings: false },
      ...{ createdAt: at("00:00"), expiresAt: null },
    });
    await world.look("01:00");
    expect(await world.runs()).toHaveLength(runs);
    const { lastSpawnError } = await schedule();
    expect(lastSpawnError).toEqual(why === null ? null : expect.stringContaining(why));
  });

  test("that missed its time starts nothing for it", async () => {
    const { world } = await withSchedule({});
    for (const time of ["00:30", "05:30", "06:00"]) await world.look(time);
    expect(await world.fired()).toEqual(["06:00:00"]);
  });

  test("does not fire while it is paused, and begins when it is resumed", async () => {
    const { world } = await withSchedule({});
    const edit = async (enabled: boolean, time: string) => {
      await world.store.schedules.update(ID, {
        changes: { enabled },
        editor: aSchedule().createdBy,
        at: at(time),
      });
      world.due.changed();
      await world.look(time);
    };
    await edit(false, "00:30");
    await world.look("01:00");
    await edit(true, "01:00:05");
    await world.look("02:00");
    expect(await world.fired()).toEqual(["02:00:00"]);
  });

  test("that was paused or deleted a moment ago does not fire", async () => {
    const { world } = await withSchedule({});
    await world.look("00:30");
    await world.store.schedules.update(ID, {
      changes: { enabled: false },
      editor: aSchedule().createdBy,
      at: at("00:59:59"),
    });
    await world.look("01:00");
    await world.store.schedules.remove(ID);
    await world.look("02:00");
    expect(await world.runs()).toEqual([]);
  });

  test("of a suspended factory does not fire", async () => {
    const factory = await aFactory(withFactoryLines(""), { at: at("00:00"), status: "suspended" });
    const { world, schedule } = await withSchedule({ factoryUid: "f" }, [factory]);
    await world.look("01:00");
    expect([await world.runs(), (await schedule()).lastSpawnError]).toEqual([[], null]);
  });

  test.each<[string, Parameters<typeof aSchedule>[0], RegExp]>([
    ["its factory is gone", { factoryUid: "other" }, /factory does not exist on this server/],
    [
      "its agent has left the factory",
      { factoryUid: "f", agentUid: "f-agent-old" },
      /f-agent-old no longer exists in/,
    ],
    ["its identity was deleted", { agentUid: "gone" }, /gone was deleted/],
    [
      "it asks for a secret that its agent has not",
      { factoryUid: "f", agentConfig: { secrets: [{ name: "S" }] } },
      /S/,
    ],
  ])(
    "that can start nothing because %s says so, once for each due time, until it can",
    async (_, changes, why) => {
      const { world, schedule } = await withSchedule(changes, [await factoryOn(every("@yearly"))]);
      for (const time of ["01:00", "01:00:01"]) await world.look(time);
      expect(await world.runs()).toEqual([]);
      expect(await schedule()).toMatchObject({ lastRan: null, lastSpawnError: expect.stringMatching(why) });
      const fit = { agentConfig: null, factoryUid: null, agentUid: null };
      await world.store.schedules.remove(ID);
      await world.store.schedules.create(aSchedule({ ...fit, lastSpawnError: "old" }));
      world.due.changed();
      await world.look("02:00");
      expect(await schedule()).toMatchObject({ lastRan: at("02:00"), lastSpawnError: null });
    },
  );

  test("starts the automations that name it too, of its own factory or when it belongs to none", async () => {
    const follow = `{ provider: schedule, event: cron_fired, filter: { schedule_ids: ["${ID}"] } }`;
    const mine = await aFactory(onSchedule(`${follow}, ${follow}`), { at: at("00:00") });
    const other = await aFactory(onSchedule(follow), { at: at("00:00"), uid: "g" });
    const { world } = await withSchedule({ factoryUid: "f" }, [mine, other]);
    for (const time of ["00:30", "01:00", "01:00:04"]) await world.look(time);
    expect((await world.runs()).map(({ automationUid }) => automationUid).sort()).toEqual([
      "f-automation-a",
      null,
    ]);
    const { runs } = await world.store.runs.list(aQuery({ scheduleId: ID }));
    expect(runs).toHaveLength(2);
  });
});

test("a thousand schedules that are due at the same time all fire, and the event loop is not blocked in the meantime", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [
      `automations/a${n}.md`,
      String(onSchedule(every("0 * * * *"))["automations/a.md"]),
    ]),
  );
  const world = await clockwork([await aFactory({ ...withFactoryLines(""), ...files }, { at: at("00:00") })]);
  await world.look("00:30");
  let turns = 0;
  let going = true;
  const turn = () => {
    turns += 1;
    if (going) setImmediate(turn);
  };
  setImmediate(turn);
  await world.look("01:00");
  going = false;
  const counted = await world.store.connection.first<{ runs: number }>("SELECT COUNT(*) AS runs FROM runs");
  expect(counted?.runs).toBe(1_000);
  // Batches of fifty, each with a turn for everybody else.
  expect(turns).toBeGreaterThanOrEqual(20);
});
