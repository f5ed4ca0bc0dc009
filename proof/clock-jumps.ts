import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, movableClock } from "../test/given/clockwork.ts";
import { storyOf } from "../test/given/story.ts";
import type { HarmPart } from "./given/part.ts";
import type { Stage } from "./given/stage.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const MAX_PEACE_MS = 1_000;
/**
 * The minutes that the clock comes back to, in hours from the present one. Any two are less than a day apart: so long the
 * answers to idempotent requests are kept.
 */
const INSTANTS = [-11, -6, -1, 1, 6, 10.9];
/** A look at the clock, once somebody has woken the scheduler, takes a few milliseconds of a server that has much to do. */
const LOOK_MS = 250;

/** Due every minute: jumps pass many of its times, and come back to times that have fired. */
const SCHEDULED = `---
triggers:
  - { provider: schedule, event: cron_fired, schedule: { cron: "* * * * *", name: minutely } }
millrace: { missed: once }
---
Do what has to be done each minute.
`;

/** Sets the server's clock forward and back, by seconds and by hours, under load. */
export const clockJumps: HarmPart = {
  name: "clock jumps",
  share: 0.1,
  prepare() {
    const clock = movableClock();
    return { options: { env: clock.env, files: { "automations/minutely.md": SCHEDULED } }, tools: clock };
  },
  async harm({ stage, chance, isOver, tools }) {
    const clock = tools as Clock;
    const wake = await waker(stage);
    const minute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
    let faults = 0;
    let furthest = 0;
    while (!isOver()) {
      await sleep(chance.next() * MAX_PEACE_MS);
      const due = minute + Math.round(chance.oneOf(INSTANTS) * 60) * MINUTE_MS;
      // Over a due time, back to before it, and over it again, as often as the instant is chosen. Without a look from each
      // side nobody would come to ask whether it has fired.
      for (const instant of [due - chance.next() * 20_000 - 1, due + chance.next() * 5_000]) {
        const shift = Math.round(instant - Date.now());
        faults += 1;
        furthest = Math.max(furthest, Math.abs(shift));
        clock.set(shift);
        await sleep(10);
        await wake();
        await sleep(LOOK_MS);
      }
    }
    clock.set(0);
    const seen = await spreadOf(stage);
    // Not every jump was seen by a delivery: half of the furthest is enough to know that the server's clock has moved.
    const broken = seen < furthest / 2 ? ["the clock of the server has not moved"] : [];
    return {
      faults,
      mostCutOff: 0,
      broken,
      note: `deliveries up to ${hours(seen)} hours apart by the server's clock`,
    };
  },
};

/** Has the scheduler look at the clock now, and not when it would have: a schedule that never fires is written anew. */
async function waker({ server }: Stage): Promise<() => Promise<unknown>> {
  const schedule = { name: "never", cron_schedule: "0 0 1 1 *", prompt: "Never.", enabled: false };
  const { id } = await server.api<{ id: string }>("POST", "/agent/schedules", schedule);
  return () => server.api("PUT", `/agent/schedules/${id}`, schedule);
}

/** How far the times of deliveries lie apart, in milliseconds. */
async function spreadOf(stage: Stage): Promise<number> {
  const uids = Object.values(stage.paths).map((path) => path.split("/").at(-1) ?? "");
  const lists = await Promise.all(uids.map((uid) => storyOf(stage.server).deliveries(uid)));
  const times = lists.flat().map(({ time }) => Date.parse(time));
  return Math.max(...times) - Math.min(...times);
}

const hours = (milliseconds: number) => (milliseconds / HOUR_MS).toFixed(1);
