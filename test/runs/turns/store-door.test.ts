import { expect, test } from "vitest";
import { StoreUnavailable } from "../../../src/errors/store-unavailable.ts";
import { newUuid } from "../../../src/id.ts";
import { createLog } from "../../../src/log.ts";
import { createRunMasks } from "../../../src/runs/output/run-masks.ts";
import { NO_METER, type TurnMeter } from "../../../src/runs/turn-meter.ts";
import { storeDoor } from "../../../src/runs/turns/store-door.ts";
import { priceTable } from "../../../src/spend/prices.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

test("a turn that is ended at another server than it was started at is measured as one of a single server", async () => {
  const { runs, transcripts } = await aStore();
  await runs.create(aRun(), AT);
  const [claim] = await runs.claim(1, LEASE, AT);
  if (!claim) throw new Error("no run waits");
  const measured: unknown[] = [];
  const meter: TurnMeter = {
    ...NO_METER,
    ended: (_, state, workedMs) => measured.push([state, workedMs]),
    used: (_, usage) => measured.push(usage.map(({ model, outputTokens }) => [model, outputTokens])),
    reached: (_, { reached }) => measured.push(reached),
  };
  const doorAt = (at: string) =>
    storeDoor(
      claim,
      {
        ...{ store: runs, transcripts, masks: createRunMasks(), meter, log: createLog("silent") },
        ...{ prices: priceTable({}), budgets: () => ({}), questions: {} as never, now: () => new Date(at) },
      },
      async () => ({ defined: [], asked: [] }),
    );
  const [first, second] = [doorAt(AT), doorAt(LATER)];
  await first.start({ sessionId: newUuid(), tokenHash: newUuid(), takesInput: false });
  await first.keepUsage([{ model: "m", inputTokens: 1, outputTokens: 2, cachedTokens: 0, costUsd: null }]);
  const place = { host: "example.org", port: 443 };
  await first.keepReaches({ reached: [{ ...place, requests: 1 }], refused: [] });
  await second.keepReaches({ reached: [{ ...place, requests: 3 }], refused: [] });
  await second.finish({ state: "SUCCEEDED", exitCode: 0, statusMessage: null });
  expect(measured).toEqual([
    ["SUCCEEDED", Date.parse(LATER) - Date.parse(AT)],
    [["m", 2]],
    [{ ...place, requests: 3 }],
  ]);
});

test("a turn whose outcome the store refuses ends in an error, and one that comes while the store is away is told again", async () => {
  const { runs, transcripts } = await aStore();
  const { id } = await runs.create(aRun(), AT);
  const [claim] = await runs.claim(1, LEASE, AT);
  if (!claim) throw new Error("no run waits");
  let isAway = true;
  const finish: typeof runs.finish = async (...told) => {
    if (isAway) throw new StoreUnavailable("it starts again");
    if (told[1].state === "SUCCEEDED") throw new Error("runs.finish: a value is not valid");
    return runs.finish(...told);
  };
  const store = new Proxy(runs, {
    get: (target, name, self) => (name === "finish" ? finish : Reflect.get(target, name, self)),
  });
  const door = storeDoor(
    claim,
    {
      ...{ store, transcripts, masks: createRunMasks(), meter: NO_METER, log: createLog("silent") },
      ...{ prices: priceTable({}), budgets: () => ({}), questions: {} as never, now: () => new Date(AT) },
    },
    async () => ({ defined: [], asked: [] }),
  );
  const ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null } as const;
  await expect(door.finish(ending)).rejects.toThrow(StoreUnavailable);
  isAway = false;
  await door.finish(ending);
  expect(await runs.find(id)).toMatchObject({
    state: "ERROR",
    statusMessage: { message: expect.stringContaining("could not be stored"), retryable: true },
  });
});
