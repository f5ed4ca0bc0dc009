import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { aFamily } from "../../given/factory.ts";
import { AT, aRun, LATER } from "../../given/store.ts";

test("an agent does nothing in the turn after its own", async () => {
  const { runs, parent, children, begin, finish, say } = await aFamily(1);
  await begin();
  await finish(parent);
  await say("Go on.");
  await begin();
  const run = await runs.find(parent);
  if (!run) throw new Error("the run is gone");
  const change = { text: "Forged.", isAppended: false, expected: undefined, agent: "agent" };
  const deedsOf = async (turn: number) => {
    const child = aRun({ ancestors: [parent] });
    const start = { parentId: parent, parentTurn: turn, agent: "agent", children: 9, once: null, answer: "" };
    const message = { id: newUuid(), runId: children[0] ?? "", message: "Hurry.", creator: run.creator };
    return {
      wait: await runs.wait({ runId: parent, turn, mode: "all", until: LATER }, AT),
      start: await runs.startChild(child, start, AT),
      message: await runs.followUp({ ...message, from: { id: parent, turn } }, null, AT),
      note: await runs.writeNote({ ...run, turn }, change, AT),
      status: await runs.reportStatus({ id: parent, turn }, "On it.", AT),
      answer: await runs.reportAnswer({ id: parent, turn }, "Done.", AT),
      question: await runs.block({ id: parent, turn }, "Which one?", AT),
    };
  };
  expect(await deedsOf(1)).toEqual({
    wait: { refused: "not running" },
    start: { refused: "ended" },
    message: { refused: "ended" },
    note: "not running",
    status: "not running",
    answer: "not running",
    question: "not running",
  });
  expect(await deedsOf(2)).toMatchObject({
    wait: { state: "waiting" },
    start: { isNew: true },
    message: { result: "queue_pending" },
    note: { version: 1 },
    status: "kept",
    answer: "kept",
    question: "blocked",
  });
});
