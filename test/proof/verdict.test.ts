import { describe, expect, test } from "vitest";
import type { Sent } from "../../proof/given/sent.ts";
import type { Witness } from "../../proof/given/stage.ts";
import { type Accepted, type Evidence, judge, type KnownRun } from "../../proof/given/verdict.ts";

const work = (changes: Partial<Sent> = {}): Sent => ({
  number: 1,
  way: "token",
  body: "{}",
  sha256: "s1",
  identity: "piece-1",
  go: true,
  ids: new Set(["d1"]),
  ...changes,
});
const delivery: Accepted = { delivery_id: "d1", identity: "piece-1", run_ids: ["r1"], storedSha256: "s1" };
const run: KnownRun = { run_id: "r1", state: "SUCCEEDED", reason: undefined, due: undefined };
const cut = { ...run, state: "ERROR", reason: "infrastructure_timeout" };
const witness: Witness = { starts: 1, ends: 1, payload: "s1" };

/** What there is when one delivery has started one run that went well, but for what a test changes. */
function verdictWith(changes: Partial<Evidence> = {}) {
  const whole = { sent: [work()], accepted: [delivery], runs: [run], mostCutOff: 0 };
  const { lost, doubled, stuck, cutOff } = judge({
    ...whole,
    witnesses: new Map([["r1", witness]]),
    ...changes,
  });
  return { lost: lost.length, doubled: doubled.length, stuck: stuck.length, cutOff };
}

const witnessed = (changes: Partial<Witness>) => ({
  witnesses: new Map([["r1", { ...witness, ...changes }]]),
});
const well = { lost: 0, doubled: 0, stuck: 0, cutOff: 0 };

test("the verdict of a proof has nothing to say where each delivery has its run and each run its agent", () => {
  expect(verdictWith()).toEqual(well);
});

describe("the verdict of a proof calls it lost when", () => {
  test.each<[string, Partial<Evidence>]>([
    ["a 202 is not in the log", { accepted: [], runs: [] }],
    ["what is stored is not what was sent", { accepted: [{ ...delivery, storedSha256: "s2" }] }],
    [
      "the API tells of it and the store has it not",
      { accepted: [{ ...delivery, storedSha256: undefined }] },
    ],
    ["it has started no run", { accepted: [{ ...delivery, run_ids: [] }], runs: [] }],
    ["its run is not there", { runs: [] }],
    ["its run succeeded without an agent", { witnesses: new Map() }],
    ["its agent did not come to its end", witnessed({ ends: 0 })],
    ["its agent found another payload", witnessed({ payload: "s2" })],
    ["its run failed, and nothing says why", { runs: [{ ...cut, reason: undefined }], mostCutOff: 9 }],
    ["a run of the API is not there", { sent: [work({ way: "run" })], accepted: [], runs: [] }],
  ])("%s", (_, changes) => {
    expect(verdictWith(changes).lost).toBe(1);
  });

  test("more runs were cut off than faults can explain", () => {
    expect(verdictWith({ runs: [cut], mostCutOff: 1 })).toEqual({ ...well, cutOff: 1 });
    expect(verdictWith({ runs: [cut], mostCutOff: 0 })).toEqual({ ...well, cutOff: 1, lost: 1 });
  });
});

describe("the verdict of a proof calls it doubled when", () => {
  const second = { ...delivery, delivery_id: "d2", run_ids: [] };
  const due = (run_id: string) => ({ ...run, run_id, due: "2026-11-22T07:00:00.000Z" });

  test.each<[string, Partial<Evidence>]>([
    ["a delivery was answered with two ids", { sent: [work({ ids: new Set(["d1", "d2"]) })] }],
    ["an identity was accepted twice", { accepted: [delivery, second] }],
    ["something was accepted that nobody has sent", { accepted: [delivery, { ...second, identity: "x" }] }],
    ["it has started two runs", { accepted: [{ ...delivery, run_ids: ["r1", "r1"] }] }],
    ["there is a run that nobody asked for", { runs: [run, { ...cut, run_id: "r2" }], mostCutOff: 1 }],
    ["an agent has started twice", witnessed({ starts: 2 })],
    [
      "a due time has fired twice",
      {
        runs: [run, due("r2"), due("r3")],
        witnesses: new Map([
          ["r1", witness],
          ["r2", { ...witness, payload: undefined }],
          ["r3", { ...witness, payload: undefined }],
        ]),
      },
    ],
  ])("%s", (_, changes) => {
    expect(verdictWith(changes)).toMatchObject({ lost: 0, doubled: 1, stuck: 0 });
  });
});

describe("the verdict of a proof calls it stuck when", () => {
  test("a sender was never told 202", () => {
    expect(verdictWith({ sent: [work(), work({ number: 2, ids: new Set() })] }).stuck).toBe(1);
  });

  test.each(["QUEUED", "CLAIMED", "INPROGRESS"])("a run is still %s", (state) => {
    expect(verdictWith({ runs: [{ ...run, state }] }).stuck).toBe(1);
  });
});
