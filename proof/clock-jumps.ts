import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, movableClock } from "../test/given/movable-clock.ts";
import { storyOf } from "../test/given/story.ts";
import type { Part } from "./given/part.ts";
import type { Stage } from "./given/stage.ts";

const HOUR_MS = 3_600_000;
/** So that two times are less than a day apart, for which the answers to idempotent requests are kept. */
const FURTHEST_MS = 11 * HOUR_MS;
const LONGEST_PEACE_MS = 1_500;

/** Due every minute: jumps pass many of its times, and come back to times that have fired. */
const SCHEDULED = `---
triggers:
  - { provider: schedule, event: cron_fired, schedule: { cron: "* * * * *", name: minutely } }
millrace: { missed: once }
---
Do what has to be done each minute.
`;

/** Sets the server's clock forward and back, by seconds and by hours, under load. */
export const clockJumps: Part = {
  name: "clock jumps",
  share: 0.15,
  prepare() {
    const clock = movableClock();
    return { options: { env: clock.env, files: { "automations/minutely.md": SCHEDULED } }, tools: clock };
  },
  async harm({ stage, chance, isOver, tools }) {
    const clock = tools as Clock;
    let faults = 0;
    let furthest = 0;
    while (!isOver()) {
      await sleep(chance.next() * LONGEST_PEACE_MS);
      faults += 1;
      const reach = chance.oneOf([5_000, HOUR_MS, FURTHEST_MS]);
      const shift = Math.round((chance.next() * 2 - 1) * reach);
      clock.set(shift);
      furthest = Math.max(furthest, Math.abs(shift));
      await sleep(50);
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

/** How far the times of deliveries lie apart, in milliseconds. */
async function spreadOf(stage: Stage): Promise<number> {
  const uids = Object.values(stage.paths).map((path) => path.split("/").at(-1) ?? "");
  const lists = await Promise.all(uids.map((uid) => storyOf(stage.server).deliveries(uid)));
  const times = lists.flat().map(({ time }) => Date.parse(time));
  return Math.max(...times) - Math.min(...times);
}

const hours = (milliseconds: number) => (milliseconds / HOUR_MS).toFixed(1);
