import { expect, test } from "vitest";
import { type ActivityStore, countActivity } from "../../../src/api/admin/activity.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/time/duration.ts";

const HOUR = Date.parse("2026-03-10T22:00:00.000Z");

/** A store with a delivery in each minute, which notes what is counted. */
function aStore() {
  const counted: string[] = [];
  const activity: ActivityStore = {
    async listDeliveryCounts(since, until) {
      counted.push(`${(since - HOUR) / MINUTE_MS}-${(until - HOUR) / MINUTE_MS}`);
      const accepted = (until - since) / MINUTE_MS;
      return [{ factoryUid: "acme", accepted, duplicates: 0, rejected: 0 }];
    },
    async listRunCounts(since, until) {
      const end = until === Number.MAX_SAFE_INTEGER ? "" : (until - HOUR) / HOUR_MS;
      counted.push(`runs ${(since - HOUR) / HOUR_MS}-${end}`);
      await new Promise((done) => setTimeout(done, 20));
      return [{ factoryUid: "acme", at: since, runs: 1, succeeded: 1, failed: 0, cancelled: 0 }];
    },
    listOpenRunCounts: async () => [],
  };
  let now = HOUR;
  const counts = countActivity({ activity, now: () => new Date(now) });
  return {
    counts,
    /** Goes to a minute of the hour. @returns what is counted then */
    async at(minute: number, ask: () => Promise<unknown>) {
      now = HOUR + minute * MINUTE_MS;
      counted.length = 0;
      return { answer: await ask(), counted: [...counted] };
    },
  };
}

test("of an hour that goes on, only the minutes that may still get deliveries are counted again", async () => {
  const { counts, at } = aStore();
  const ask = () => counts.deliveries(HOUR, HOUR_MS);
  expect((await at(2.5, ask)).counted).toEqual(["0-1", "1-2", "2-3"]);
  expect((await at(3.5, ask)).counted).toEqual(["1-2", "2-3", "3-4"]);
  expect((await at(3.6, ask)).answer).toEqual([
    { factoryUid: "acme", accepted: 4, duplicates: 0, rejected: 0 },
  ]);
});

test("an hour that is over is counted once", async () => {
  const { counts, at } = aStore();
  const ask = () => counts.deliveries(HOUR, HOUR_MS);
  const first = await at(75, ask);
  expect(first).toEqual({
    answer: [{ factoryUid: "acme", accepted: 60, duplicates: 0, rejected: 0 }],
    counted: ["0-60"],
  });
  expect(await at(500, ask)).toEqual({ answer: first.answer, counted: [] });
});

test("runs are counted for all who ask at a time, and again after a rest that follows the cost", async () => {
  const { counts, at } = aStore();
  const ask = () => counts.runs(HOUR, HOUR_MS);
  expect((await at(1, () => Promise.all([ask(), ask(), ask()]))).counted).toEqual(["runs 0-"]);
  expect((await at(1, ask)).counted).toEqual([]);
  expect((await at(3, ask)).counted).toEqual(["runs 0-"]);
});

test("runs of many hours are counted in as many reads, the last of which takes all that is newer", async () => {
  const { counts, at } = aStore();
  const { answer, counted } = await at(150, () => counts.runs(HOUR, HOUR_MS));
  expect(counted).toEqual(["runs 0-1", "runs 1-2", "runs 2-"]);
  expect(answer).toMatchObject([{ at: HOUR }, { at: HOUR + HOUR_MS }, { at: HOUR + 2 * HOUR_MS }]);
});
