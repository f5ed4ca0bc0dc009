import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { duration } from "../../src/config/values.ts";
import { silentLog } from "../../src/log.ts";
import { startLoop } from "../../src/reconcile/loop.ts";
import type { Outcome, Reason, Request } from "../../src/reconcile/outcome.ts";

const POLL_MS = 60_000;

/** A loop whose passes end when the test says so. */
function aLoop({ polls = true, pollMs = POLL_MS, random = 0.5 } = {}) {
  const passes: { reason: Reason; asked: Request; end(outcome?: Outcome): void; fail(): void }[] = [];
  const loop = startLoop({
    pollMs: polls ? pollMs : undefined,
    random: () => random,
    log: silentLog,
    pass: (reason, asked) =>
      new Promise((resolve, reject) => {
        passes.push({
          reason,
          asked,
          end: (outcome = { kind: "unchanged" }) => resolve(outcome),
          fail: () => reject(new Error("no")),
        });
      }),
  });
  return { loop, passes };
}

const SYNC_A: [Reason, Request][] = [["sync", { allowsDeletes: ["a"] }]];
const SYNC_B: [Reason, Request][] = [["sync", { allowsDeletes: ["b"] }]];

const settled = () => vi.advanceTimersByTimeAsync(0);

describe("a reconcile loop", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test("runs one pass at a time; requests that come during a pass share the next one", async () => {
    const { loop, passes } = aLoop();
    const done: string[] = [];
    void loop.request("poll").then(() => done.push("first"));
    void loop.request("change").then(() => done.push("second"));
    void loop.request("sync").then(() => done.push("third"));
    await settled();
    expect(passes.map(({ reason }) => reason)).toEqual(["poll"]);
    passes[0]?.end();
    await settled();
    expect(done).toEqual(["first"]);
    expect(passes.map(({ reason }) => reason)).toEqual(["poll", "sync"]);
    passes[1]?.end();
    await settled();
    expect(done).toEqual(["first", "second", "third"]);
    expect(passes).toHaveLength(2);
  });

  test.each<[string, [Reason, Request][], Reason, string[]]>([
    ["both allow", [...SYNC_A, ...SYNC_B], "sync", ["a", "b"]],
    ["the one that came first allows", [...SYNC_A, ["sync", {}]], "sync", ["a"]],
    ["the one that came last allows", [["sync", {}], ...SYNC_A], "sync", ["a"]],
    [
      "the one that looks less hard allows",
      [
        ["sync", {}],
        ["poll", { allowsDeletes: ["a"] }],
      ],
      "sync",
      ["a"],
    ],
    ["the one that looks harder allows", [["poll", {}], ...SYNC_A], "sync", ["a"]],
    [
      "nobody allows",
      [
        ["sync", {}],
        ["sync", {}],
      ],
      "sync",
      [],
    ],
  ])("deletes in a shared pass what one of the requests allows: %s", async (_, asked, reason, allowed) => {
    const { loop, passes } = aLoop();
    void loop.request("poll");
    for (const [why, request] of asked) void loop.request(why, request);
    passes[0]?.end();
    await settled();
    expect(passes).toHaveLength(2);
    expect([passes[1]?.reason, passes[1]?.asked.allowsDeletes ?? []]).toEqual([reason, allowed]);
  });

  test("polls again after the poll interval, give or take a tenth", async () => {
    for (const [random, wait] of [
      [0, 0.9],
      [0.5, 1],
      [1, 1.1],
    ] as const) {
      const { loop, passes } = aLoop({ random });
      void loop.request("start");
      passes[0]?.end();
      await settled();
      await vi.advanceTimersByTimeAsync(POLL_MS * wait - 1);
      expect(passes).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(2);
      expect(passes.map(({ reason }) => reason)).toEqual(["start", "poll"]);
      passes[1]?.end();
      await loop.stop();
    }
  });

  test("waits for the longest interval that can be set, whatever is added to it", async () => {
    const { loop, passes } = aLoop({ pollMs: duration("596h"), random: 1 });
    void loop.request("start");
    passes[0]?.end();
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(passes).toHaveLength(1);
    await loop.stop();
  });

  test("asks a source that cannot be read later each time, and soon again once it can", async () => {
    const { loop, passes } = aLoop();
    void loop.request("start");
    const waits: number[] = [];
    for (let index = 0; index < 6; index += 1) {
      passes[index]?.end(index < 5 ? { kind: "unreadable", problems: [] } : { kind: "unchanged" });
      await settled();
      const before = Date.now();
      while (passes.length === index + 1) await vi.advanceTimersByTimeAsync(1_000);
      waits.push((Date.now() - before) / POLL_MS);
    }
    expect(waits).toEqual([2, 4, 5, 5, 5, 1]);
  });

  test("asks a source that is away for an hour a dozen times, and has it again five minutes after it is back", async () => {
    const { loop, passes } = aLoop();
    void loop.request("start");
    const backAt = Date.now() + 3_600_000;
    const isAway = () => Date.now() < backAt;
    let ended = 0;
    while (ended === 0 || isAway()) {
      for (; ended < passes.length; ended += 1) {
        passes[ended]?.end(isAway() ? { kind: "unreadable", problems: [] } : { kind: "unchanged" });
      }
      await vi.advanceTimersByTimeAsync(1_000);
    }
    const whileAway = passes.length;
    expect(whileAway).toBeGreaterThan(10);
    expect(whileAway).toBeLessThan(16);
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(passes.length).toBeGreaterThan(whileAway);
    passes.at(-1)?.end();
    await vi.advanceTimersByTimeAsync(POLL_MS + 1);
    expect(passes.length).toBe(whileAway + 2);
  });

  test("continues after a pass that failed with an exception", async () => {
    const { loop, passes } = aLoop();
    const done = loop.request("start");
    passes[0]?.fail();
    await expect(done).resolves.toBeUndefined();
    await vi.advanceTimersByTimeAsync(2 * POLL_MS);
    expect(passes).toHaveLength(2);
  });

  test("does not poll a source that reports its own changes, unless it fails", async () => {
    const { loop, passes } = aLoop({ polls: false });
    void loop.request("start");
    passes[0]?.end();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(passes).toHaveLength(1);
    void loop.request("change");
    passes[1]?.end({ kind: "unreadable", problems: [] });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(passes).toHaveLength(3);
  });

  test("ends after the pass that runs, and does nothing afterwards", async () => {
    const { loop, passes } = aLoop();
    void loop.request("start");
    let stopped = false;
    void loop.stop().then(() => {
      stopped = true;
    });
    await settled();
    expect(stopped).toBe(false);
    passes[0]?.end();
    await settled();
    expect(stopped).toBe(true);
    await loop.request("sync");
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(passes).toHaveLength(1);
  });
});
