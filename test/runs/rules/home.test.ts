import { expect, test } from "vitest";
import { type ConnectedWorker, homeLoad } from "../../../src/runs/rules/placement.ts";
import { AT } from "../../given/store.ts";

const seconds = (count: number) => new Date(Date.parse(AT) + count * 1_000);
const TURN = { home: "here", turnAskedAt: AT };
const worker = (changes: Partial<ConnectedWorker> = {}): ConnectedWorker => ({
  ...{ home: "here", name: "pool", labels: [], platform: null, shape: null, factories: null },
  ...{ executing: 0, concurrency: 1, isDraining: false },
  ...changes,
});

test.each([
  ["is not connected", [worker({ home: "elsewhere" })], "away"],
  ["is busy", [worker({ executing: 1 })], "busy"],
  ["takes no more runs", [worker({ isDraining: true })], "busy"],
  ["is there, and has not taken it for some seconds", [worker()], "free"],
] as const)("a turn waits for the worker that has its workspace, which %s", (_, workers, stands) => {
  const until = seconds(30).toISOString();
  expect(homeLoad(TURN, workers, { waitMs: 30_000, at: seconds(30) })).toEqual({ stands, until });
});

test.each([
  ["a first turn", { home: null, turnAskedAt: null }, [], seconds(0)],
  ["a turn after the server has executed the one before", { ...TURN, home: "local" }, [], seconds(0)],
  ["a turn that has waited long enough", TURN, [], seconds(31)],
  ["a turn that its worker is about to take", TURN, [worker()], seconds(1)],
] as const)("%s waits for no certain worker", (_, turn, workers, at) => {
  expect(homeLoad(turn, workers, { waitMs: 30_000, at })).toBeUndefined();
});
