import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import type { RunStore } from "../../../src/runs/run-store.ts";
import { aQuery, aRun, aStore, LEASE } from "../../given/store.ts";

const BY = { uid: "ann", type: "user" as const, displayName: "Ann" };
const WELL = { state: "SUCCEEDED", exitCode: 0, statusMessage: null } as const;
const at = (minute: number) =>
  new Date(Date.parse("2026-11-21T10:00:00.000Z") + minute * 60_000).toISOString();

/** A run whose agent was started in the minute 0, and what can happen to it in a minute. */
async function started({ takesInput = false } = {}) {
  const { runs, connection } = await aStore();
  const { id } = await runs.create(aRun(), at(0));
  const claim = async (minute: number) => {
    const [claimed] = await runs.claim(1, LEASE, at(minute));
    const ticket = { id, ticket: claimed?.ticket ?? 0 };
    await runs.start({ ...ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput }, at(minute));
    return ticket;
  };
  let ticket = await claim(0);
  return {
    ...{ id, runs, connection },
    block: async (minute: number) =>
      runs.block({ id, turn: (await runs.find(id))?.turn ?? 0 }, `Really? (${minute})`, at(minute)),
    rest: (minute: number) => runs.keepRest(ticket, at(minute)),
    async say(minute: number) {
      await runs.followUp({ id: newUuid(), runId: id, message: "yes", creator: BY }, null, at(minute));
      const given = await runs.listUngiven(ticket);
      if (takesInput)
        await runs.give(
          ticket,
          given.map((each) => each.id),
          at(minute),
        );
    },
    finish: (minute: number, ending: Parameters<RunStore["finish"]>[1] = WELL) =>
      runs.finish(ticket, ending, at(minute)),
    async nextTurn(minute: number) {
      ticket = await claim(minute);
    },
    /** Minutes in which agents were alive, and those of them in which they waited. */
    async minutes() {
      const run = await runs.find(id);
      return [(run?.workedMs ?? 0) / 60_000, (run?.awayMs ?? 0) / 60_000];
    },
  };
}

describe("the time in which an agent waits for a person is no work,", () => {
  test("from its question to the answer", async () => {
    const run = await started();
    await run.block(1);
    await run.say(11);
    await run.finish(14);
    expect(await run.minutes()).toEqual([14, 10]);
  });

  test("from its first question, when it asks again before it has an answer", async () => {
    const run = await started();
    await run.block(1);
    await run.block(3);
    await run.say(5);
    await run.finish(6);
    expect(await run.minutes()).toEqual([6, 4]);
  });

  test("to the end of its turn, when nobody answers; what comes between turns counts for neither", async () => {
    const run = await started();
    await run.block(1);
    await run.finish(3);
    expect(await run.minutes()).toEqual([3, 2]);
    await run.say(60);
    await run.nextTurn(61);
    await run.finish(65);
    expect(await run.minutes()).toEqual([7, 2]);
  });

  test("from when its session has nothing to do to the next message", async () => {
    const run = await started({ takesInput: true });
    await run.rest(2);
    await run.rest(3);
    await run.say(30);
    await run.rest(31);
    await run.finish(61);
    expect(await run.minutes()).toEqual([61, 28 + 30]);
  });

  test("and is not counted twice when it asks and has nothing to do", async () => {
    const run = await started({ takesInput: true });
    await run.block(1);
    await run.rest(2);
    await run.say(10);
    await run.finish(12);
    expect(await run.minutes()).toEqual([12, 9]);
  });

  test("even when its worker was lost", async () => {
    const run = await started();
    await run.block(1);
    await run.runs.recoverLost([run.id], "gone", at(5));
    expect(await run.minutes()).toEqual([5, 4]);
  });
});

test("a run that was made before that was counted says nothing of it, also after another turn", async () => {
  const run = await started();
  await run.connection.run("UPDATE runs SET away_ms = NULL");
  await run.block(1);
  await run.finish(2);
  expect((await run.runs.find(run.id))?.awayMs).toBeNull();
});

test("a list tells it too", async () => {
  const run = await started();
  await run.block(1);
  await run.finish(3);
  const { runs } = await run.runs.list(aQuery());
  expect(runs.map(({ workedMs, awayMs }) => [workedMs, awayMs])).toEqual([[180_000, 120_000]]);
});
