import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { wakeable } from "../../src/concurrency/rounds.ts";
import { waitFor } from "../given/server.ts";

/** Rounds that end when they are let go. */
function rounds(restMs?: number) {
  const open: (() => void)[] = [];
  const errors: unknown[] = [];
  let begun = 0;
  let failure: Error | undefined;
  const { wake, stop } = wakeable({
    async round() {
      begun += 1;
      await new Promise<void>((resolve) => open.push(resolve));
      if (failure) throw failure;
      return restMs;
    },
    onError(error) {
      errors.push(error);
      return 1;
    },
  });
  return {
    wake,
    stop,
    errors,
    begun: () => begun,
    async letGo() {
      open.shift()?.();
      await nextTurn();
    },
    fails(error: Error | undefined) {
      failure = error;
    },
  };
}

describe("rounds of work", () => {
  test("begin when they are asked for, one at a time, and those who ask while one runs share the next", async () => {
    const { wake, begun, letGo, stop } = rounds();
    expect(begun()).toBe(0);
    wake();
    wake();
    wake();
    expect(begun()).toBe(1);
    await letGo();
    expect(begun()).toBe(2);
    await letGo();
    await sleep(20);
    expect(begun()).toBe(2);
    await stop();
  });

  test("begin again after as long as the last one has said", async () => {
    const { wake, begun, letGo, stop } = rounds(5);
    wake();
    await letGo();
    await waitFor(() => begun() === 2 || undefined);
    const stopped = stop();
    await letGo();
    await stopped;
  });

  test("continue after a failed one, when the error handler says so", async () => {
    const { wake, begun, letGo, fails, errors, stop } = rounds();
    fails(new Error("once"));
    wake();
    await letGo();
    await waitFor(() => begun() === 2 || undefined);
    fails(undefined);
    expect(errors).toEqual([new Error("once")]);
    const stopped = stop();
    await letGo();
    await stopped;
  });

  test("stop with the one that runs, and none begins afterwards", async () => {
    const { wake, begun, letGo, stop } = rounds(1);
    wake();
    wake();
    let isStopped = false;
    const stopped = stop().then(() => {
      isStopped = true;
    });
    await nextTurn();
    expect(isStopped).toBe(false);
    await letGo();
    await stopped;
    wake();
    await sleep(20);
    expect(begun()).toBe(1);
  });
});
