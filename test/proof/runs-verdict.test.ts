import { describe, expect, test } from "vitest";
import { absencesOf, type Harm } from "../../proof/workers/harms.ts";
import { judgeRuns, type RunsEvidence } from "../../proof/workers/runs-verdict.ts";
import { judgeTalks, type Talk } from "../../proof/workers/talks.ts";

const MINUTE = 60_000;
const at = (minutes: number) => new Date(minutes * MINUTE).toISOString();
const work = { number: 1, host: "pool", body: "{}", ids: new Set(["d1"]) };
const delivery = { delivery_id: "d1", outcome: "Accepted", run_ids: ["r1"] };
const run = { run_id: "r1", state: "SUCCEEDED", created_at: at(10), updated_at: at(11) };
const cut = { ...run, state: "ERROR", status_message: { error_code: "infrastructure_timeout" } };
const start = { run: "r1", turn: 1, worker: "solo", pid: "7", atMs: 10 * MINUTE };
const harm: Harm = { node: "solo", kind: "worker killed", fromMs: 10.5 * MINUTE, untilMs: 10.6 * MINUTE };

/** What there is when one delivery has started one run that went well, but for what a test changes. */
function verdictWith(changes: Partial<RunsEvidence> = {}) {
  const whole = { sent: [work], asked: [], deliveries: [delivery], runs: [run], starts: [start], harms: [] };
  const { lost, doubled, stuck, cutOff } = judgeRuns({ ...whole, ...changes });
  return { lost: lost.length, doubled: doubled.length, stuck: stuck.length, cutOff };
}

const well = { lost: 0, doubled: 0, stuck: 0, cutOff: 0 };

test("the verdict on workers has nothing to say where each delivery has its run and each turn its agent", () => {
  expect(verdictWith()).toEqual(well);
  expect(verdictWith({ starts: [start, { ...start, turn: 2, worker: "pool-1" }] })).toEqual(well);
});

test.each<[string, Partial<RunsEvidence>, object]>([
  ["a turn that has started twice is doubled", { starts: [start, { ...start, pid: "8" }] }, { doubled: 1 }],
  [
    "a turn that has started on two workers is doubled",
    { starts: [start, { ...start, worker: "pool-1" }] },
    { doubled: 1 },
  ],
  [
    "a delivery with two runs is doubled",
    { deliveries: [{ ...delivery, run_ids: ["r1", "r1"] }] },
    { doubled: 1 },
  ],
  ["a delivery with two ids is doubled", { sent: [{ ...work, ids: new Set(["d1", "d2"]) }] }, { doubled: 1 }],
  [
    "a run that nobody asked for is doubled",
    { runs: [run, { ...run, run_id: "r2" }], starts: [start, { ...start, run: "r2" }] },
    { doubled: 1 },
  ],
  [
    "a delivery without a run is lost",
    { deliveries: [{ ...delivery, run_ids: [] }], runs: [], starts: [] },
    { lost: 1 },
  ],
  ["a run that was asked for and is not there is lost", { asked: ["r9"] }, { lost: 1 }],
  ["a run without an agent is lost", { starts: [] }, { lost: 1 }],
  ["an agent of an unknown run is lost", { starts: [start, { ...start, run: "r9" }] }, { lost: 1 }],
  [
    "a piece that was never taken is stuck",
    { sent: [work, { ...work, number: 2, ids: new Set<string>() }] },
    { stuck: 1 },
  ],
  ["a run that has not ended is stuck", { runs: [{ ...run, state: "INPROGRESS" }] }, { stuck: 1 }],
])("%s", (_, changes, expected) => {
  expect(verdictWith(changes)).toEqual({ ...well, ...expected });
});

describe("a run that has not succeeded", () => {
  test.each<[string, Harm[], number]>([
    ["is explained by what was done to its worker", [harm], 0],
    ["is not explained by nothing", [], 1],
    ["is not explained by what was done to another worker", [{ ...harm, node: "pool-1" }], 1],
    ["is not explained by what was done before it", [{ ...harm, fromMs: 0, untilMs: MINUTE }], 1],
    [
      "is not explained by what was done after it",
      [{ ...harm, fromMs: 12 * MINUTE, untilMs: 13 * MINUTE }],
      1,
    ],
    ["is not explained by requests that were carried out twice", [{ ...harm, kind: "double" }], 1],
    ["is not explained by a server alone that was killed", [{ ...harm, node: "server" }], 1],
  ])("%s", (_, harms, lost) => {
    expect(verdictWith({ runs: [cut], harms })).toEqual({ ...well, cutOff: 1, lost });
  });

  test("needs a reason", () => {
    expect(verdictWith({ runs: [{ ...run, state: "ERROR" }], harms: [harm] })).toMatchObject({ lost: 1 });
  });
});

test("a server that was killed is a reason only for a worker that was not heard for long", () => {
  const leaseMs = 10_000;
  const killed: Harm = { node: "server", kind: "server killed", fromMs: 21_000, untilMs: 24_000 };
  const absent = (...beats: number[]) => absencesOf("solo", { beats, harms: [killed], leaseMs });
  expect(absent(18_000, 20_000, 25_000, 26_000)).toEqual([]);
  expect(absent(18_000, 20_000, 29_000, 30_000)).toMatchObject([
    { node: "solo", fromMs: 20_000, untilMs: 29_000 },
  ]);
  expect(absent(1_000, 9_000, 20_000, 25_000)).toEqual([]);
});

test("a message to a session is lost when nobody has heard it, and doubled when one agent has heard it twice", () => {
  const talk: Talk = { number: 1, ids: new Set(["r1"]), messages: ["a.", "b."] };
  const judge = (...turns: string[][]) => judgeTalks([talk], () => turns);
  expect(judge(["heard a.", "heard b."])).toEqual({ lost: [], doubled: [] });
  expect(judge(["heard a."], ["prompted a.", "prompted b."])).toEqual({ lost: [], doubled: [] });
  expect(judge(["heard a."]).lost).toHaveLength(1);
  expect(judge(["heard a.", "heard a.", "heard b."]).doubled).toHaveLength(1);
  expect(judgeTalks([talk], () => undefined)).toEqual({ lost: [], doubled: [] });
  expect(judgeTalks([{ ...talk, ids: new Set<string>() }], () => [])).toMatchObject({
    lost: [expect.any(String)],
  });
});
