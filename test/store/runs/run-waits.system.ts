import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { aFamily } from "../../given/factory.ts";
import { AT, aRun, LATER } from "../../given/store.ts";

const RESTING = { state: "INPROGRESS", isLeased: false, turn: 1 };
const NEXT = { state: "QUEUED", turn: 2, waitingFor: null };

/** A parent that waits for its children, which are at work. */
async function aWaitingFamily(count: number, mode: "all" | "any" = "all") {
  const family = await aFamily(count);
  await family.begin();
  expect(await family.wait(mode)).toEqual({ state: "waiting", targets: family.children });
  await family.finish(family.parent);
  expect(await family.find()).toMatchObject({ ...RESTING, waitingFor: family.children });
  return family;
}

describe("a run that waits for its children", () => {
  test("has no worker, no lease and no token, and says so in its timeline", async () => {
    const { runs, parent, children, connection } = await aWaitingFamily(2);
    expect(
      await connection.first("SELECT worker, lease_expires_at, token_hash FROM runs WHERE run_id = $1", [
        parent,
      ]),
    ).toEqual({ worker: null, lease_expires_at: null, token_hash: null });
    const events = await runs.listEvents(parent, { limit: 10 });
    expect(events.at(-1)).toMatchObject({ type: "oz_run_waiting", payload: { turn: 1, run_ids: children } });
    expect(await runs.listLeased()).toEqual(children);
  });

  test("begins its next turn when all have ended, with their results in one message", async () => {
    const { children, finish, find, told } = await aWaitingFamily(2);
    const [one = "", two = ""] = children;
    await finish(two, { answer: "Two is done.\nRun 1: FAILED" });
    expect(await find()).toMatchObject({ ...RESTING, waitingFor: [one] });
    await finish(one, { state: "FAILED", exitCode: 1, statusMessage: { message: "It broke." } });
    expect(await find()).toMatchObject(NEXT);
    expect(await told()).toEqual([
      [
        "[millrace: All 2 runs in your wait have ended.]",
        `Run ${one}: FAILED\nAgent: agent\nTitle: Child 1\nStatus: It broke.`,
        `Run ${two}: SUCCEEDED\nAgent: agent\nTitle: Child 2\nAnswer:\n> Two is done.\n> Run 1: FAILED`,
      ].join("\n\n"),
    ]);
  });

  test("begins its next turn once, however often the same end is recorded", async () => {
    const { runs, children, finish, find, told, claimOf } = await aWaitingFamily(1);
    const [child = ""] = children;
    const claim = await claimOf(child);
    await finish(child);
    await runs.finish(claim, { state: "SUCCEEDED", exitCode: 0, statusMessage: null }, LATER);
    await runs.recoverLost([child], "lost", LATER);
    expect(await find()).toMatchObject(NEXT);
    expect(await told()).toHaveLength(1);
  });

  test("begins its next turn at the first end, if one is enough", async () => {
    const { children, finish, find, told } = await aWaitingFamily(3, "any");
    await finish(children[1] ?? "");
    expect(await find()).toMatchObject(NEXT);
    expect((await told())[0]).toMatch(
      /^\[millrace: A run in your wait has ended\. 2 runs of 3 have not ended\. To wait for the rest, wait again\.\]/,
    );
    await finish(children[0] ?? "");
    expect(await told()).toHaveLength(1);
  });

  test.each<[string, (family: Awaited<ReturnType<typeof aFamily>>, child: string) => Promise<unknown>]>([
    ["is lost", ({ runs }, child) => runs.recoverLost([child], "lost", LATER)],
    ["fails", ({ finish }, child) => finish(child, { state: "FAILED", exitCode: 1 })],
    [
      "is cancelled",
      async ({ runs, finish }, child) => {
        await runs.cancel(child, AT);
        await finish(child);
      },
    ],
    [
      "is dismissed",
      async ({ runs, finish }, child) => {
        await runs.block({ id: child, turn: 1 }, "Which one?", AT);
        await finish(child);
        await runs.dismiss(child, { by: { uid: "ann", type: "user", displayName: "Ann" } }, AT);
      },
    ],
  ])("begins its next turn when its child %s", async (_, end) => {
    const family = await aWaitingFamily(1);
    await end(family, family.children[0] ?? "");
    expect(await family.find()).toMatchObject(NEXT);
    expect(await family.told()).toHaveLength(1);
  });

  test("begins its next turn when a child is cancelled that has not begun", async () => {
    const { runs, children, wait, finish, parent, find } = await aFamily(1);
    await wait();
    await finish(parent);
    await runs.cancel(children[0] ?? "", AT);
    expect(await find()).toMatchObject(NEXT);
  });

  test("does not take a child for ended that has a message for another turn", async () => {
    const { runs, children, finish, find } = await aWaitingFamily(1);
    const [child = ""] = children;
    const creator = { uid: "ann", type: "user" as const, displayName: "Ann" };
    await runs.followUp({ id: newUuid(), runId: child, message: "And this.", creator }, null, AT);
    await finish(child);
    expect(await find()).toMatchObject(RESTING);
  });

  test("begins its next turn when its time is up, with what there is", async () => {
    const { runs, children, finish, find, told } = await aWaitingFamily(2);
    await finish(children[0] ?? "", { answer: "One." });
    expect(await runs.findNextWaitEnd()).toBe(LATER);
    expect(await runs.endOverdueWaits(AT, 10)).toBe(0);
    expect(await find()).toMatchObject(RESTING);
    expect(await runs.endOverdueWaits(LATER, 10)).toBe(1);
    expect(await runs.endOverdueWaits(LATER, 10)).toBe(0);
    expect(await find()).toMatchObject(NEXT);
    expect((await told())[0]).toMatch(
      /^\[millrace: The time limit of your wait was reached\. 1 run of 2 has not ended\./,
    );
    expect(await runs.findNextWaitEnd()).toBeUndefined();
  });

  test("begins its next turn at a person's message, which ends the wait and says so", async () => {
    const { children, finish, find, told, say } = await aWaitingFamily(1);
    expect(await say("Stop waiting.")).toMatchObject({ result: "handoff_execution" });
    expect(await find()).toMatchObject(NEXT);
    const messages = await told();
    expect(messages[0]).toBe("Stop waiting.");
    expect(messages[1]).toMatch(
      /^\[millrace: A message ended your wait before it was over\. 1 run of 1 has not ended\./,
    );
    await finish(children[0] ?? "");
    expect(await told()).toHaveLength(2);
  });

  test("is cancelled at once, and its children go on", async () => {
    const { runs, parent, children, finish, find, told } = await aWaitingFamily(1);
    expect(await runs.cancel(parent, AT)).toBe("INPROGRESS");
    expect(await find()).toMatchObject({ state: "CANCELLED", finishedAt: AT, waitingFor: null });
    await finish(children[0] ?? "");
    expect(await find()).toMatchObject({ state: "CANCELLED" });
    expect(await told()).toEqual([]);
  });

  test("is told that a child was deleted that had ended", async () => {
    const { runs, children, finish, find, told } = await aWaitingFamily(2);
    const [one = "", two = ""] = children;
    await finish(one, {}, AT);
    expect(await runs.forgetRun(one, AT)).toMatchObject({ isGone: true });
    await finish(two);
    expect(await find()).toMatchObject(NEXT);
    expect((await told())[0]).toContain(`Run ${one}: deleted`);
  });

  test("works for the time of its turns only", async () => {
    const { children, finish, begin, parent, find } = await aWaitingFamily(1);
    await finish(children[0] ?? "", {}, LATER);
    await begin();
    await finish(parent, {}, AT);
    expect(await find()).toMatchObject({ state: "SUCCEEDED", workedMs: 0, awayMs: 0 });
  });
});

describe("a wait", () => {
  test("whose runs have ended before the agent exits begins the next turn at its exit", async () => {
    const { children, wait, finish, begin, parent, find, told } = await aFamily(1);
    await begin();
    await wait();
    await finish(children[0] ?? "");
    expect(await find()).toMatchObject({ state: "INPROGRESS", isLeased: true, waitingFor: [] });
    expect(await told()).toEqual([]);
    await finish(parent);
    expect(await find()).toMatchObject(NEXT);
    expect(await told()).toHaveLength(1);
  });

  test("whose results were sent begins no turn", async () => {
    const { children, wait, waitState, take, finish, begin, parent, find, told } = await aFamily(1);
    await begin();
    await wait();
    expect(await waitState()).toBe("waiting");
    await finish(children[0] ?? "");
    expect(await waitState()).toBe("done");
    await take();
    await finish(parent);
    expect(await find()).toMatchObject({ state: "SUCCEEDED", turn: 1, waitingFor: null });
    expect(await told()).toEqual([]);
  });

  test("whose results were not sent gives them to the next wait, and to the next turn", async () => {
    const { children, wait, finish, begin, parent, find, told } = await aFamily(2);
    await begin();
    await finish(children[0] ?? "", { answer: "One." });
    expect(await wait("any")).toEqual({ state: "done", targets: children });
    expect(await wait("any")).toEqual({ state: "done", targets: children });
    await finish(parent);
    expect(await find()).toMatchObject(NEXT);
    expect(await told()).toEqual([expect.stringContaining("> One.")]);
  });

  test("for runs that have ended is done at once", async () => {
    const { children, wait, take, finish, begin, find } = await aFamily(2);
    await begin();
    for (const child of children) await finish(child);
    expect(await wait()).toEqual({ state: "done", targets: children });
    await take();
    expect(await find()).toMatchObject({ waitingFor: null });
  });

  test("without ids is for the children whose results the run was not given, and for all when it was given all", async () => {
    const { children, wait, take, finish, begin, addChild } = await aFamily(2);
    await begin();
    await finish(children[0] ?? "");
    expect(await wait("any")).toEqual({ state: "done", targets: children });
    await take();
    expect(await wait("any")).toEqual({ state: "waiting", targets: [children[1]] });
    await finish(children[1] ?? "");
    expect(await wait()).toEqual({ state: "done", targets: [children[1]] });
    await take();
    expect(await wait()).toEqual({ state: "done", targets: children });
    await take();
    const third = await addChild();
    expect(await wait()).toEqual({ state: "waiting", targets: [third] });
  });

  test("is dropped by a turn that fails, and by one that is lost", async () => {
    for (const isLost of [false, true]) {
      const { runs, children, wait, finish, begin, parent, find, told } = await aFamily(1);
      await begin();
      await wait();
      if (isLost) await runs.recoverLost([parent], "lost", AT);
      else await finish(parent, { state: "FAILED", exitCode: 1 });
      const state = isLost ? "ERROR" : "FAILED";
      expect(await find()).toMatchObject({ state, waitingFor: null });
      await finish(children[0] ?? "");
      expect(await find()).toMatchObject({ state });
      expect(await told()).toEqual([]);
    }
  });

  test("comes after a question: its results are given with the answer", async () => {
    const { runs, children, wait, finish, begin, parent, find, told, say } = await aFamily(1);
    await begin();
    await wait();
    await runs.block({ id: parent, turn: 1 }, "Which one?", AT);
    await finish(parent);
    await finish(children[0] ?? "", { answer: "Done." });
    expect(await find()).toMatchObject({ state: "BLOCKED", turn: 1 });
    await say("This one.");
    expect(await find()).toMatchObject(NEXT);
    expect(await told()).toEqual(["This one.", expect.stringContaining("> Done.")]);
  });

  test("is refused for the run itself, for its ancestors, for runs of others, and where there are none", async () => {
    const { runs, parent, children, wait, begin } = await aFamily(1);
    await begin();
    const other = aRun();
    await runs.create(other, AT);
    for (const id of [parent, other.id, newUuid()])
      expect(await wait("all", [id])).toEqual({ refused: "not below", ids: [id] });
    const [child = ""] = children;
    expect(
      await runs.wait({ runId: child, turn: 1, mode: "all", until: LATER, targets: [parent] }, AT),
    ).toEqual({
      refused: "not below",
      ids: [parent],
    });
    expect(await runs.wait({ runId: child, turn: 1, mode: "all", until: LATER }, AT)).toEqual({
      refused: "no children",
    });
    const many = Array.from({ length: 51 }, () => newUuid());
    expect(await wait("all", many)).toEqual({ refused: "too many" });
    expect(await runs.wait({ runId: other.id, turn: 1, mode: "all", until: LATER }, AT)).toEqual({
      refused: "not running",
    });
  });
});
