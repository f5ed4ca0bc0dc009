import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { endingMove, MOVES, type Move, RUN_STATES, type RunState } from "../../../src/runs/rules/state.ts";
import type { RunStore } from "../../../src/runs/run-store.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

const BY = { uid: "ann", type: "user" as const, displayName: "Ann" };
const WELL = { state: "SUCCEEDED" as const, exitCode: 0, statusMessage: null };

/** A run in a store, and a short way to do things to it. */
async function aLife() {
  const { runs, connection } = await aStore();
  const { id } = await runs.create(aRun(), AT);
  const ticket = async () =>
    (await connection.first("SELECT ticket FROM runs WHERE run_id = $1", [id])) as { ticket: number };
  const claimOf = async () => ({ id, ...(await ticket()) });
  return {
    id,
    runs,
    connection,
    claimOf,
    claim: async () => (await runs.claim(1, LEASE, AT))[0],
    start: async ({ takesInput = false } = {}) =>
      runs.start({ ...(await claimOf()), sessionId: newUuid(), tokenHash: newUuid(), takesInput }, AT),
    finish: async (ending: Parameters<RunStore["finish"]>[1] = WELL) =>
      runs.finish(await claimOf(), ending, LATER),
    block: async (message: string) => runs.block({ id, turn: (await runs.find(id))?.turn ?? 0 }, message, AT),
    say: (message: string) => runs.followUp({ id: newUuid(), runId: id, message, creator: BY }, null, AT),
    state: async () => (await runs.find(id))?.state,
    saidIn: async (turn: number) =>
      (await runs.listFollowUps(id)).filter((each) => each.turn === turn).map(({ message }) => message),
  };
}

type Life = Awaited<ReturnType<typeof aLife>>;

/** How a run is brought into each state that runs enter, with a worker or without. */
const WAYS: Record<string, { state: RunState; steps(life: Life): Promise<unknown> }> = {
  QUEUED: { state: "QUEUED", steps: async () => {} },
  CLAIMED: { state: "CLAIMED", steps: (life) => life.claim() },
  INPROGRESS: { state: "INPROGRESS", steps: (life) => through(life, "claim", "start") },
  "BLOCKED, its agent alive": {
    state: "BLOCKED",
    steps: async (life) => {
      await through(life, "claim", "start");
      await life.block("Which one?");
    },
  },
  "BLOCKED, its agent gone": {
    state: "BLOCKED",
    steps: async (life) => {
      await through(life, "claim", "start");
      await life.block("Which one?");
      await life.finish();
    },
  },
  SUCCEEDED: { state: "SUCCEEDED", steps: (life) => through(life, "claim", "start", "finish") },
  CANCELLED: { state: "CANCELLED", steps: (life) => life.runs.cancel(life.id, AT) },
};

async function through(life: Life, ...steps: ("claim" | "start" | "finish")[]): Promise<void> {
  for (const step of steps) await life[step]();
}

/** What can be done to a run, with what it moves it to. */
const DEEDS: Record<string, { move: Move; do(life: Life): Promise<unknown> }> = {
  claim: { move: MOVES.claim, do: (life) => life.claim() },
  start: { move: MOVES.start, do: (life) => life.start() },
  block: { move: MOVES.block, do: (life) => life.block("Which one?") },
  "finish well": { move: MOVES.succeed, do: (life) => life.finish() },
  "finish badly": { move: MOVES.fail, do: (life) => life.finish({ ...WELL, state: "FAILED", exitCode: 1 }) },
  lose: { move: MOVES.lose, do: (life) => life.runs.recoverLost([life.id], "lost", LATER) },
};

describe.each(Object.entries(WAYS))("a run that is %s", (name, { state, steps }) => {
  test.each(Object.entries(DEEDS))(
    "moves on %s as the table of moves has it, and not otherwise",
    async (deed, { move, do: act }) => {
      const life = await aLife();
      await steps(life);
      expect(await life.state()).toBe(state);
      await act(life);
      expect(await life.state()).toBe(expected(name, state, deed, move));
    },
  );
});

/** Nobody holds a run whose agent is gone; one whose worker was lost before it started waits again. */
function expected(way: string, state: RunState, deed: string, move: Move): RunState {
  if (way.endsWith("gone") || !move.from.includes(state)) {
    const rests = deed === "finish well" && way === "BLOCKED, its agent alive";
    return rests ? MOVES.rest.to : state;
  }
  return deed === "lose" && state === "CLAIMED" ? MOVES.release.to : move.to;
}

test("every state can be left or is an end, and every move leads to a state", () => {
  for (const { from, to } of Object.values<Move>(MOVES)) {
    for (const state of [...from, to]) expect(Object.keys(RUN_STATES)).toContain(state);
  }
  expect(endingMove({ state: "INPROGRESS", isCancelled: true, isWaiting: false }, "SUCCEEDED")).toBe(
    MOVES.cancel,
  );
});

describe("messages", () => {
  test("that come while a turn is under way begin the next one, in their order, when it has ended", async () => {
    const life = await aLife();
    await life.claim();
    await life.say("one");
    await life.start();
    await life.say("two");
    await life.finish({ ...WELL, state: "FAILED", exitCode: 3 });
    expect(await life.runs.find(life.id)).toMatchObject({
      state: "QUEUED",
      turn: 2,
      exitCode: null,
      finishedAt: null,
    });
    expect(await life.say("three")).toMatchObject({ result: "queued_prompt" });
    expect(await life.saidIn(2)).toEqual(["one", "two", "three"]);
    await through(life, "claim", "start", "finish");
    expect(await life.runs.find(life.id)).toMatchObject({ state: "SUCCEEDED", turn: 2, startedAt: AT });
  });

  test("for a session that ended without having been given them begin the next turn", async () => {
    const life = await aLife();
    await life.claim();
    await life.start({ takesInput: true });
    await life.say("given");
    const [given] = await life.runs.listUngiven(await life.claimOf());
    await life.runs.give(await life.claimOf(), [given?.id ?? ""], AT);
    expect(await life.say("not given")).toMatchObject({ result: "live_session" });
    await life.finish();
    expect(await life.state()).toBe("QUEUED");
    expect(await life.saidIn(1)).toEqual(["given"]);
    expect(await life.saidIn(2)).toEqual(["not given"]);
  });

  test("that were written to a session, and may not have been read when its worker was lost, begin the next turn", async () => {
    const life = await aLife();
    await life.claim();
    await life.start({ takesInput: true });
    for (const message of ["read", "offered", "given"]) await life.say(message);
    const [read, offered, given] = await life.runs.listUngiven(await life.claimOf());
    for (const each of [read, offered, given]) await life.runs.offer(await life.claimOf(), each?.id ?? "");
    await life.runs.give(await life.claimOf(), [read?.id ?? "", given?.id ?? ""], AT);
    await life.runs.confirm(await life.claimOf(), read?.id ?? "");
    await life.runs.recoverLost([life.id], "gone", LATER);
    expect(await life.saidIn(1)).toEqual(["read"]);
    const next = (await life.runs.listFollowUps(life.id)).filter(({ turn }) => turn === 2);
    expect(next.map(({ message, isRepeated }) => [message, isRepeated])).toEqual([
      ["offered", true],
      ["given", true],
    ]);
    // The prompt of a turn has them: they are repeated once.
    await through(life, "claim", "start", "finish");
    expect(await life.state()).toBe("SUCCEEDED");
  });

  test("outlast the worker of their run", async () => {
    const life = await aLife();
    await life.claim();
    await life.start({ takesInput: true });
    await life.say("one");
    await life.runs.recoverLost([life.id], "lost", LATER);
    expect(await life.runs.find(life.id)).toMatchObject({ state: "QUEUED", turn: 2 });
    expect(await life.saidIn(2)).toEqual(["one"]);
    const types = (await life.runs.listEvents(life.id, { limit: 10 })).map(({ type }) => type);
    expect(types).toEqual(["oz_run_created", "oz_run_claimed", "agent_started", "oz_run_errored"]);
  });

  test("are deleted with the run that is cancelled, and not with what begins after that", async () => {
    const life = await aLife();
    await life.claim();
    await life.start();
    await life.say("never mind");
    await life.runs.cancel(life.id, AT);
    await life.finish();
    expect(await life.state()).toBe("CANCELLED");
    expect(await life.say("again")).toMatchObject({ result: "handoff_execution" });
    expect(await life.runs.find(life.id)).toMatchObject({
      state: "QUEUED",
      turn: 2,
      cancelRequestedAt: null,
    });
    expect(await life.saidIn(2)).toEqual(["again"]);
  });

  test("answer a blocked run: its agent while that is alive, else by another turn", async () => {
    const life = await aLife();
    await life.claim();
    await life.start();
    await life.block("Which one?");
    expect((await life.runs.find(life.id))?.statusMessage).toEqual({ message: "Which one?" });
    expect(await life.say("this one")).toMatchObject({ result: "queue_pending" });
    expect(await life.runs.find(life.id)).toMatchObject({ state: "INPROGRESS", statusMessage: null });
    await life.block("Really?");
    await life.finish();
    // What was said before is an answer too, and begins the turn at once.
    expect(await life.runs.find(life.id)).toMatchObject({ state: "QUEUED", turn: 2 });
    expect(await life.saidIn(2)).toEqual(["this one"]);
  });
});

test("the work on a run is counted over its turns, and the time between them is not", async () => {
  const life = await aLife();
  await through(life, "claim", "start", "finish");
  await life.say("go on");
  await through(life, "claim", "start", "finish");
  expect((await life.runs.find(life.id))?.workedMs).toBe(2 * (Date.parse(LATER) - Date.parse(AT)));
});

test("a lease that is renewed is not over, and one that is not is found", async () => {
  const life = await aLife();
  await life.claim();
  expect(await life.runs.listLeased({ expiredBefore: LATER })).toEqual([life.id]);
  await life.runs.renewLeases({ worker: "another", expiresAt: "2026-11-21T12:00:00.000Z" });
  expect(await life.runs.listLeased({ expiredBefore: LATER })).toEqual([life.id]);
  await life.runs.renewLeases({ ...LEASE, expiresAt: "2026-11-21T12:00:00.000Z" });
  expect(await life.runs.listLeased({ expiredBefore: LATER })).toEqual([]);
});
