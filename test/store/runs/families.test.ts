import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { MAX_FAMILY } from "../../../src/runs/rules/family.ts";
import { MAX_SENT_IN_TURN, MAX_TURNS_BY_AGENTS } from "../../../src/runs/rules/follow-up.ts";
import type { NewRun } from "../../../src/runs/run.ts";
import { MAX_REFUSALS_SHOWN } from "../../../src/store/runs/run-events.ts";
import { AT, aRun, aStore, LEASE } from "../../given/store.ts";

const SUCCEEDED = { state: "SUCCEEDED" as const, exitCode: 0, statusMessage: null };

/** A store with a run whose agent is at work, and what that agent does. */
async function atWork() {
  const store = await aStore();
  const { runs } = store;
  const begin = async (run: NewRun) => {
    await runs.create(run, AT);
    return work();
  };
  /** The next run that waits is at work. */
  const work = async () => {
    const [claim] = await runs.claim(1, LEASE, AT);
    const holder = { id: claim?.run.id ?? "", ticket: claim?.ticket ?? 0 };
    await runs.start({ ...holder, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, AT);
    return holder;
  };
  const root = await begin(aRun());
  return {
    runs,
    begin,
    work,
    root,
    start: (changes: Partial<NewRun> = {}, children = 100) => {
      const child = aRun({ ancestors: [root.id], agentUid: "coder", ...changes });
      const parentId = child.ancestors.at(-1) ?? "";
      return runs.startChild(
        child,
        { parentId, parentTurn: 1, agent: "coder", children, once: null, answer: child.id },
        AT,
      );
    },
    send: (runId: string, from = root.id) => {
      const { creator } = aRun();
      return runs.followUp(
        { id: newUuid(), runId, message: "Go on.", creator, from: { id: from, turn: 1 } },
        null,
        AT,
      );
    },
    refusalsShown: async () =>
      (await runs.listEvents(root.id, { limit: 500 })).filter(({ type }) => type === "start_refused").length,
  };
}

describe("a family", () => {
  test("has no more runs than a family may have, and is told so often on the timeline and no more", async () => {
    const { start, refusalsShown } = await atWork();
    for (let run = 2; run <= MAX_FAMILY; run += 1) expect(await start()).toMatchObject({ isNew: true });
    for (let tried = 0; tried < MAX_REFUSALS_SHOWN + 5; tried += 1)
      expect(await start()).toEqual({ refused: "family" });
    expect(await refusalsShown()).toBe(MAX_REFUSALS_SHOWN);
  });

  test("counts what a run has started also when that was deleted", async () => {
    const { runs, start } = await atWork();
    const child = aRun();
    await start({ id: child.id }, 1);
    await runs.cancel(child.id, AT);
    await runs.forgetRun(child.id, AT);
    expect(await start({}, 1)).toEqual({ refused: "children" });
  });

  test("grows no more from a run whose end was asked for", async () => {
    const { runs, root, start } = await atWork();
    await runs.cancel(root.id, AT);
    expect(await start()).toEqual({ refused: "ended" });
  });

  test("ends as a whole, in as many steps as it takes, and only as far as the caller reaches", async () => {
    const { runs, root } = await atWork();
    const ids: string[] = [];
    for (let made = 0; made < 250; made += 1) {
      const run = aRun({ ancestors: [root.id] });
      ids.push((await runs.create(run, AT)).id);
    }
    const end = { rootId: root.id, by: { by: aRun().creator } };
    expect(
      await runs.cancelTree({ ...end, within: ["another"], agentOf: null }, undefined, AT),
    ).toMatchObject({
      ended: [],
    });
    const first = await runs.cancelTree({ ...end, within: null, agentOf: null }, undefined, AT);
    const second = await runs.cancelTree({ ...end, within: null, agentOf: null }, first.last, AT);
    expect(first.ended.length + second.ended.length).toBe(251);
    expect(second.last).toBeUndefined();
    expect((await runs.find(ids.at(-1) ?? ""))?.state).toBe("CANCELLED");
  });
});

describe("an agent's messages", () => {
  test("are so many in a turn and no more", async () => {
    const { start, send } = await atWork();
    const started = await start();
    const child = "answer" in started ? started.answer : "";
    for (let sent = 0; sent < MAX_SENT_IN_TURN; sent += 1)
      expect(await send(child)).toMatchObject({ result: "queued_prompt" });
    expect(await send(child)).toEqual({ refused: "sent_enough" });
  });

  test("begin so many turns of a run and no more, while people go on", async () => {
    const { runs, start, send, work } = await atWork();
    const started = await start();
    const child = "answer" in started ? started.answer : "";
    await runs.finish(await work(), SUCCEEDED, AT);
    for (let turn = 0; turn < MAX_TURNS_BY_AGENTS; turn += 1) {
      expect(await send(child)).toMatchObject({ result: "handoff_execution" });
      await runs.finish(await work(), SUCCEEDED, AT);
    }
    expect(await send(child)).toEqual({ refused: "woken_enough" });
    const { creator } = aRun();
    const byPerson = { id: newUuid(), runId: child, message: "Go on.", creator };
    expect(await runs.followUp(byPerson, null, AT)).toMatchObject({ result: "handoff_execution" });
  });

  test("are not taken when their sender has ended", async () => {
    const { runs, root, start, send } = await atWork();
    const started = await start();
    await runs.finish(root, SUCCEEDED, AT);
    expect(await send("answer" in started ? started.answer : "")).toEqual({ refused: "ended" });
  });
});
