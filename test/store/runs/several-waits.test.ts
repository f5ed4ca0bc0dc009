import { describe, expect, test } from "vitest";
import { aFamily } from "../../given/factory.ts";
import { LATER } from "../../given/store.ts";

const MUCH_LATER = "2099-01-01T00:00:00.000Z";
const RESTING = { state: "INPROGRESS", isLeased: false, turn: 1 };
const NEXT = { state: "QUEUED", turn: 2, waitingFor: null };

/** A parent at work that waits for each of two children by itself. */
async function aFamilyOfTwoWaits() {
  const family = await aFamily(2);
  await family.begin();
  const [one = "", two = ""] = family.children;
  await family.wait("all", [one]);
  await family.wait("all", [two]);
  const [first, second] = family.waits;
  return { ...family, one, two, first, second };
}

describe("two waits of a run at the same time", () => {
  test("are each over when their own runs have ended", async () => {
    const { one, two, first, second, waitState, take, finish, find } = await aFamilyOfTwoWaits();
    expect(await find()).toMatchObject({ waitingFor: [one, two] });
    await finish(two);
    expect(await waitState(first)).toBe("waiting");
    expect(await waitState(second)).toBe("done");
    await take(second);
    expect(await find()).toMatchObject({ waitingFor: [one] });
    await finish(one);
    expect(await waitState(first)).toBe("done");
    await take(first);
    expect(await find()).toMatchObject({ waitingFor: null });
  });

  test("begin the next turn when both are over, with the results of both", async () => {
    const { one, two, parent, finish, find, told } = await aFamilyOfTwoWaits();
    await finish(parent);
    await finish(one, { answer: "One." });
    expect(await find()).toMatchObject({ ...RESTING, waitingFor: [two] });
    await finish(two, { answer: "Two." });
    expect(await find()).toMatchObject(NEXT);
    expect(await told()).toEqual([expect.stringMatching(/> One\.[\s\S]*> Two\./)]);
  });

  test("leave the other one when the results of one were sent", async () => {
    const { one, two, parent, second, take, finish, find, told } = await aFamilyOfTwoWaits();
    await finish(two, { answer: "Two." });
    await take(second);
    await finish(parent);
    expect(await find()).toMatchObject({ ...RESTING, waitingFor: [one] });
    await finish(one, { answer: "One." });
    expect(await find()).toMatchObject(NEXT);
    expect(await told()).toEqual([expect.not.stringContaining("> Two.")]);
  });

  test("begin the next turn at the first time limit, also at that of a wait that is done", async () => {
    const { runs, children, wait, finish, begin, parent, find, told } = await aFamily(2);
    const [one = "", two = ""] = children;
    await begin();
    await wait("all", [one], LATER);
    await wait("all", [two], MUCH_LATER);
    await finish(one);
    await finish(parent);
    expect(await find()).toMatchObject({ ...RESTING, waitingFor: [two] });
    expect(await runs.endOverdueWaits(LATER, 10)).toBe(1);
    expect(await find()).toMatchObject(NEXT);
    expect(await told()).toEqual([
      expect.stringMatching(/^\[millrace: The time limit of your wait was reached\. 1 run of 2 has not/),
    ]);
    expect(await runs.findNextWaitEnd()).toBeUndefined();
  });

  test("are one if they are for the same runs: the last replaces the first", async () => {
    const { children, wait, take, waits, waitState, finish, begin, parent, find } = await aFamily(2);
    await begin();
    await wait("all");
    await wait("any");
    const [first] = waits;
    await finish(children[0] ?? "");
    expect(await waitState()).toBe("done");
    expect(await waitState(first)).toBe("waiting");
    await take();
    await finish(parent);
    expect(await find()).toMatchObject({ state: "SUCCEEDED" });
  });

  test("are refused when there are more than twenty", async () => {
    const { wait, begin, addChild } = await aFamily(0);
    await begin();
    const ids = [];
    for (let each = 0; each < 21; each += 1) ids.push(await addChild());
    for (const id of ids.slice(0, 20)) expect(await wait("all", [id])).toMatchObject({ state: "waiting" });
    expect(await wait("all", ids.slice(20))).toEqual({ refused: "too many waits" });
    expect(await wait("all", ids.slice(0, 1))).toMatchObject({ state: "waiting" });
  });
});

test("a run announces that it waits for nothing anymore", async () => {
  const { connection, children, wait, take, finish, begin, parent } = await aFamily(1);
  await begin();
  await wait();
  await finish(children[0] ?? "");
  const announced = () =>
    connection.all("SELECT seq FROM changes WHERE kind = 'run' AND subject = $1", [parent]);
  const before = await announced();
  await take();
  expect((await announced()).length).toBe(before.length + 1);
});
