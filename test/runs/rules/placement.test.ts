import { describe, expect, test } from "vitest";
import {
  type ConnectedWorker,
  demandsOf,
  demandText,
  fits,
  mayExecute,
  type PlacementWorker,
  placementOf,
  placementsFor,
  workerLoad,
} from "../../../src/runs/rules/placement.ts";
import { waitingOf } from "../../../src/runs/rules/waiting.ts";

const LINUX = { os: "linux", arch: "x86_64" } as const;
const LARGE = { vcpus: 8, memoryGb: 32 };

const worker = (changes: Partial<ConnectedWorker> = {}): ConnectedWorker => ({
  name: "pool",
  home: "here",
  labels: ["eu", "gpu"],
  platform: LINUX,
  shape: { vcpus: 4, memoryGb: 16 },
  factories: null,
  executing: 0,
  concurrency: 2,
  isDraining: false,
  ...changes,
});

describe("the placement of a run", () => {
  test("is the default one for every name of this server, whatever its runner asks for", () => {
    for (const host of [undefined, "", "warp", "local", "millrace"]) {
      expect(placementOf(host, { platform: LINUX, instanceShape: LARGE })).toBe("");
    }
  });

  test("is the same text for the same labels in any order", () => {
    expect(placementOf("labels:gpu, EU,gpu")).toBe(placementOf("labels:eu,gpu"));
    expect(placementOf("labels:gpu")).not.toBe(placementOf("gpu"));
  });

  test("says what it demands, and nothing that is left open", () => {
    const placement = placementOf("pool", { platform: { arch: "aarch64" }, instanceShape: LARGE });
    expect(demandsOf(placement)).toEqual({ host: "pool", arch: "aarch64", vcpus: 8, memoryGb: 32 });
    expect(demandsOf(placementOf("pool"))).toEqual({ host: "pool" });
  });

  test("keeps a host of any text apart from the rest", () => {
    const strange = "a b;os=linux/%";
    expect(demandsOf(placementOf(strange))).toEqual({ host: strange });
    expect(placementOf(strange)).not.toContain(" ");
  });
});

describe("a worker fits", () => {
  test.each<[string, string, Partial<PlacementWorker>, boolean]>([
    ["its name", placementOf("pool"), {}, true],
    ["no other name", placementOf("pools"), {}, false],
    ["not its name as a label", placementOf("labels:pool"), {}, false],
    ["some of its labels", placementOf("labels:gpu"), {}, true],
    ["all of its labels", placementOf("labels:gpu,eu"), {}, true],
    ["no label that it lacks", placementOf("labels:gpu,us"), {}, false],
    ["its platform", placementOf("pool", { platform: LINUX }), {}, true],
    ["no other system", placementOf("pool", { platform: { os: "macos" } }), {}, false],
    ["no other architecture", placementOf("pool", { platform: { arch: "aarch64" } }), {}, false],
    [
      "no platform while it has reported none",
      placementOf("pool", { platform: LINUX }),
      { platform: null },
      false,
    ],
    ["a size up to its own", placementOf("pool", { instanceShape: { vcpus: 4, memoryGb: 16 } }), {}, true],
    ["no larger one", placementOf("pool", { instanceShape: { vcpus: 4, memoryGb: 17 } }), {}, false],
    [
      "no size while it has reported none",
      placementOf("pool", { instanceShape: LARGE }),
      { shape: null },
      false,
    ],
    ["runs that demand nothing", "", { platform: null, shape: null }, true],
  ])("%s", (_, placement, changes, isFit) => {
    expect(fits(placement, worker(changes))).toBe(isFit);
  });

  test("is found by a worker that has machines made, whatever it runs on itself, if the name fits", () => {
    const placement = placementOf("pool", { platform: LINUX, instanceShape: LARGE });
    const elsewhere = { sandbox: "command", platform: null, shape: null };
    expect(fits(placement, worker(elsewhere))).toBe(true);
    expect(fits(placement, worker({ ...elsewhere, name: "other" }))).toBe(false);
    expect(fits(placement, worker({ ...elsewhere, sandbox: "bwrap" }))).toBe(false);
  });

  test("the runs of its factories only, where it is bound to some", () => {
    const bound = worker({ factories: ["f"] });
    expect([mayExecute("f", bound), mayExecute("g", bound), mayExecute(null, bound)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(mayExecute(null, worker())).toBe(true);
  });

  test("runs that name no worker only where the server executes none", () => {
    const queued = ["", "pool", "other"];
    expect(placementsFor(worker(), queued, { isServerExecuting: true })).toEqual(["pool"]);
    expect(placementsFor(worker(), queued, { isServerExecuting: false })).toEqual(["", "pool"]);
  });
});

test.each<[string, string]>([
  ["", placementOf("local")],
  ["named pool", placementOf("pool")],
  ["with label gpu", placementOf("labels:gpu")],
  [
    "with labels eu, gpu (linux on x86_64, at least 8 vCPUs, at least 32 GB of memory)",
    placementOf("labels:gpu,eu", { platform: LINUX, instanceShape: LARGE }),
  ],
])("a demand is said as %j", (text, placement) => {
  expect(demandText(placement)).toBe(text);
});

test("connected workers are counted as fitting and as free", () => {
  const run = { placement: "pool", factoryUid: "f" };
  const workers = [
    worker(),
    worker({ executing: 2 }),
    worker({ isDraining: true }),
    worker({ factories: ["g"] }),
    worker({ name: "other" }),
  ];
  expect(workerLoad(run, workers)).toEqual({ connected: 5, fitting: 3, free: 1, draining: 1 });
});

test.each([
  [
    1,
    1,
    "The only connected worker that the run could execute on drains and gets no more runs (to end this:",
  ],
  [1, 0, "The only connected worker that the run could execute on is busy."],
  [3, 0, "All 3 connected workers that the run could execute on are busy."],
  [3, 1, "All 3 connected workers that the run could execute on are busy, or drain and get no more runs."],
])("a run that waits for %j workers, of which %j drain, says so", (fitting, draining, says) => {
  const place = { placement: "pool", factoryUid: "f", home: null, turnAskedAt: null, ahead: 0 };
  const workers = { connected: fitting, fitting, free: 0, draining };
  const load = { executing: 0, concurrency: 1, hasRoom: true, workers };
  const { reason, message } = waitingOf({ ...place, ...load }, { factory: "f", automation: "a" });
  expect([reason, message]).toEqual(["worker_limit", expect.stringContaining(says)]);
});
