import { expect, test } from "vitest";
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
