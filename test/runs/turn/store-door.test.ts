import { expect, test } from "vitest";
import { StoreUnavailable } from "../../../src/errors/error.ts";
import { newUuid } from "../../../src/id.ts";
import { priceTable } from "../../../src/insight/prices.ts";
import { createLog } from "../../../src/log.ts";
import { createRunMasks } from "../../../src/runs/output/run-masks.ts";
import { storeDoor } from "../../../src/runs/turn/store-door.ts";
import { NO_METER, type TurnMeter } from "../../../src/runs/turn-meter.ts";
import { checkedHere } from "../../given/executing.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

test("a turn that is ended at another server than it was started at is measured as one of a single server", async () => {
  const { runs, transcripts } = await aStore();
  await runs.create(aRun(), AT);
  const [claim] = await runs.claim(1, LEASE, AT);
  if (!claim) throw new Error("no run waits");
  const measured: unknown[] = [];
  const meter: TurnMeter = {
    ...NO_METER,
    started: () => measured.push("started"),
    ended: (_, state, workedMs) => measured.push([state, workedMs]),
    used: (_, usage) => measured.push(usage.map(({ model, outputTokens }) => [model, outputTokens])),
    reached: (_, { reached }) => measured.push(reached),
  };
  const doorAt = (at: string) =>
    storeDoor(
      claim,
      {
        ...{
          store: runs,
          transcripts,
          masks: createRunMasks(),
          answers: checkedHere,
          meter,
          log: createLog("silent"),
        },
        ...{
          prices: priceTable({}),
          onHold() {},
          budgets: () => ({}),
          questions: {} as never,
          now: () => new Date(at),
        },
      },
      async () => ({ defined: [], asked: [] }),
    );
  const [first, second] = [doorAt(AT), doorAt(LATER)];
  const start = { sessionId: newUuid(), tokenHash: newUuid(), takesInput: false };
  expect(await first.start(start)).toBe(true);
  // Its answer was lost on the way.
  expect(await second.start(start)).toBe(true);
  expect(await first.start(start)).toBe(true);
  await first.keepUsage([{ model: "m", inputTokens: 1, outputTokens: 2, cachedTokens: 0, costUsd: null }]);
  const place = { host: "example.org", port: 443 };
  await first.keepReaches({ reached: [{ ...place, requests: 1 }], refused: [] });
  await second.keepReaches({ reached: [{ ...place, requests: 3 }], refused: [] });
  await second.finish({ state: "SUCCEEDED", exitCode: 0, statusMessage: null });
  expect(measured).toEqual([
    "started",
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
      ...{
        store,
        transcripts,
        masks: createRunMasks(),
        answers: checkedHere,
        meter: NO_METER,
        log: createLog("silent"),
      },
      ...{
        prices: priceTable({}),
        onHold() {},
        budgets: () => ({}),
        questions: {} as never,
        now: () => new Date(AT),
      },
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

test("the door of a turn that another worker has taken over changes nothing of the run, and reads none of its messages", async () => {
  const { runs, transcripts, connection } = await aStore();
  const { id } = await runs.create(aRun(), AT);
  const creator = { uid: "ann", type: "user", displayName: "Ann" } as const;
  const say = async (message: string) => {
    const messageId = newUuid();
    await runs.followUp({ id: messageId, runId: id, message, creator }, null, AT);
    return messageId;
  };
  const meter: TurnMeter = {
    ...NO_METER,
    ended: () => expect.unreachable("the lost turn was measured"),
  };
  const claimed = async () => {
    const [claim] = await runs.claim(1, LEASE, AT);
    if (!claim) throw new Error("no run waits");
    const door = storeDoor(
      claim,
      {
        ...{
          store: runs,
          transcripts,
          masks: createRunMasks(),
          answers: checkedHere,
          meter,
          log: createLog("silent"),
        },
        ...{ prices: priceTable({}), onHold() {}, budgets: () => ({}), now: () => new Date(LATER) },
        questions: { open: () => () => {}, reply: () => undefined },
      },
      async () => ({ defined: [], asked: [] }),
    );
    expect(await door.start({ sessionId: newUuid(), tokenHash: newUuid(), takesInput: true })).toBe(true);
    return door;
  };
  const lost = await claimed();
  await runs.recoverLost([id], "gone", AT);
  await say("Go on.");
  const held = await claimed();
  const message = await say("And that?");
  await held.append([{ seq: 1, turn: 2, stream: "stdout", at: AT, bytes: Buffer.from("held") }]);
  const everything = async () => [
    ...[
      "runs",
      "run_followups",
      "run_messages",
      "run_usage",
      "run_artifacts",
      "run_tags",
      "run_events",
      "run_turns",
      "run_network",
    ].map(async (table) => [table, await connection.all(`SELECT * FROM ${table}`, [])]),
    transcripts.list(id, 0, 100),
  ];
  const before = await Promise.all(await everything());

  await lost.session.open(1_000);
  expect(await lost.session.listUngiven()).toEqual([]);
  await lost.session.offer(message);
  await lost.session.give([message]);
  await lost.session.confirm(message);
  await lost.session.keepRest();
  await lost.append([{ seq: 2, turn: 1, stream: "stdout", at: AT, bytes: Buffer.from("lost") }]);
  await lost.keepReport({ session: "of-lost", answer: "Lost.", failedServers: [{ name: "a", reason: "b" }] });
  await lost.keepReaches({ reached: [{ host: "example.org", port: 443, requests: 1 }], refused: [] });
  await lost.keepUsage([{ model: "m", inputTokens: 1, outputTokens: 2, cachedTokens: 0, costUsd: 1 }]);
  await lost.keepResources({ cpuMs: 1, peakMemoryBytes: 1 });
  await lost.addFile({
    id: newUuid(),
    path: "lost.txt",
    size: 1,
    sha256: "0".repeat(64),
    holdsSecret: false,
  });
  await lost.proposePlan({ file: "The plan.", output: "" });
  expect(await lost.start({ sessionId: newUuid(), tokenHash: newUuid(), takesInput: true })).toBe(false);
  await lost.finish({ state: "SUCCEEDED", exitCode: 0, statusMessage: null });
  await lost.session.close();

  expect(await Promise.all(await everything())).toEqual(before);
  expect((await held.session.listUngiven()).map(({ id: each }) => each)).toEqual([message]);
});
