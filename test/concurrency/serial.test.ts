import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { serial } from "../../src/concurrency/shared-work.ts";

describe("serial work", () => {
  test("is done one piece after the other, in the order in which it was handed in", async () => {
    const { run } = serial();
    const done: string[] = [];
    let atOnce = 0;
    const piece = (name: string, turns: number) =>
      run(async () => {
        atOnce += 1;
        expect(atOnce).toBe(1);
        for (let turn = 0; turn < turns; turn += 1) await nextTurn();
        done.push(name);
        atOnce -= 1;
        return name;
      });
    expect(await Promise.all([piece("slow", 5), piece("quick", 0), piece("last", 1)])).toEqual([
      "slow",
      "quick",
      "last",
    ]);
    expect(done).toEqual(["slow", "quick", "last"]);
  });

  test("gives up a piece whose signal is aborted while it waits; later pieces still wait for what runs", async () => {
    const { run } = serial();
    let end = () => {};
    const running = run(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const leaving = new AbortController();
    const left = expect(run(async () => "never", leaving.signal)).rejects.toThrow("gone");
    const order: string[] = [];
    const last = run(async () => order.push("last"));
    leaving.abort(new Error("gone"));
    await left;
    await nextTurn();
    expect(order).toEqual([]);
    order.push("first");
    end();
    await Promise.all([running, last]);
    expect(order).toEqual(["first", "last"]);
  });

  test("goes on after a piece that failed, whose failure is its own", async () => {
    const { run } = serial();
    const failing = run(async () => {
      throw new Error("of the first");
    });
    const next = run(async () => "of the second");
    await expect(failing).rejects.toThrow("of the first");
    expect(await next).toBe("of the second");
  });

  test("has ended when what was handed in until then has, also if that failed", async () => {
    const { run, ended } = serial();
    await ended();
    let isDone = false;
    run(async () => {
      await nextTurn();
      isDone = true;
      throw new Error("nobody waits for it");
    }).catch(() => {});
    await ended();
    expect(isDone).toBe(true);
  });

  test("is busy from the moment on that a piece is handed in until the last has ended", async () => {
    const work = serial();
    expect(work.isBusy).toBe(false);
    const pieces = [work.run(async () => {}), work.run(() => nextTurn())];
    expect(work.isBusy).toBe(true);
    await pieces[0];
    expect(work.isBusy).toBe(true);
    await work.ended();
    expect(work.isBusy).toBe(false);
    await Promise.all(pieces);
  });
});
