import { expect, test } from "vitest";
import type { Pause } from "../../../src/runs/rules/pause.ts";
import { aSchedule, at, clockwork, every, onSchedule } from "../../given/clockwork.ts";
import { aFactory } from "../../given/served.ts";

const aPause = (scope: Partial<Pause>): Pause => ({
  id: "p",
  factoryUid: null,
  webhookUid: null,
  automationUid: null,
  name: null,
  reason: null,
  createdBy: { uid: "u", type: "user", displayName: "ada" },
  createdAt: at("00:00"),
  ...scope,
});

/** The hours in which a factory's schedule fired that was paused from half past one to half past three. */
async function firedAround(scope: Partial<Pause>, rest = "") {
  const world = await clockwork([await aFactory(onSchedule(every("@hourly"), rest), { at: at("00:00") })]);
  await world.look("01:00:02");
  await world.pauses.create(aPause(scope));
  await world.look("02:00:02");
  await world.look("03:00:02");
  await world.pauses.end("p", at("03:30"));
  await world.look("03:30");
  await world.look("04:00:02");
  return (await world.runs()).map(({ createdAt }) => createdAt.slice(11, 16));
}

test("a paused schedule fires no run, and misses the due times of its pause", async () => {
  expect(await firedAround({ factoryUid: "f", automationUid: "f-automation-a" })).toEqual(["01:00", "04:00"]);
});

test("with `missed: once` a paused schedule fires once for all that it missed, when the pause ends", async () => {
  const fired = await firedAround({}, "millrace: { missed: once }");
  expect(fired).toEqual(["01:00", "03:30", "04:00"]);
});

test("a pause of another factory, of a webhook or of another automation does not hold a schedule", async () => {
  const all = ["01:00", "02:00", "03:00", "04:00"];
  expect(await firedAround({ factoryUid: "g" })).toEqual(all);
  expect(await firedAround({ factoryUid: "f", webhookUid: "w" })).toEqual(all);
  expect(await firedAround({ factoryUid: "f", automationUid: "b" })).toEqual(all);
});

test("a pause of a factory holds the schedules that the API has made for it", async () => {
  const world = await clockwork([await aFactory(onSchedule(every("@yearly")), { at: at("00:00") })]);
  await world.store.schedules.create(aSchedule({ factoryUid: "f" }));
  await world.pauses.create(aPause({ factoryUid: "f" }));
  await world.look("01:00:02");
  expect(await world.runs()).toEqual([]);
});
