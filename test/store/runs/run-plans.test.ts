import { expect, test } from "vitest";
import { firstUuidOf, newUuid } from "../../../src/id.ts";
import { MAX_OF_RUN } from "../../../src/runs/rules/artifact.ts";
import type { Ending } from "../../../src/runs/run.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

const WELL: Ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };

/** A run in plan mode that is at work. */
async function aPlanner() {
  const { runs, connection } = await aStore();
  const { id } = await runs.create(
    aRun({ execution: { harness: { type: "oz" }, secrets: [], mode: "plan" } }),
    AT,
  );
  const begin = async () => {
    const [claim] = await runs.claim(1, LEASE, AT);
    const ticket = claim?.ticket ?? 0;
    await runs.start({ id, ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, AT);
    return { id, ticket };
  };
  const say = (message: string, from?: string, answerId = newUuid()) =>
    runs.followUp(
      {
        id: answerId,
        runId: id,
        message,
        creator: { uid: "ann", type: "user", displayName: "Ann" },
        ...(from ? { from: { id: from, turn: 1 } } : {}),
      },
      null,
      AT,
    );
  return { id, runs, connection, begin, say, find: () => runs.find(id) };
}

test("a run in plan mode asks for approval of its plan, which is kept, and is told what was decided", async () => {
  const { id, runs, begin, say, find } = await aPlanner();
  const claim = await begin();
  expect(await runs.proposePlan(claim, { file: "First this.", most: MAX_OF_RUN }, AT)).toBe("proposed");
  await runs.finish(claim, WELL, LATER);
  expect(await find()).toMatchObject({
    state: "BLOCKED",
    isLeased: false,
    planState: "proposed",
    statusMessage: { message: "Approve this plan?" },
  });
  expect((await runs.listArtifacts([id]))[id]).toMatchObject([
    { type: "PLAN", data: { title: "Plan", content: "First this." } },
  ]);
  await say("Use another library.");
  expect(await find()).toMatchObject({ state: "QUEUED", turn: 2, planState: "rejected" });
  const second = await begin();
  expect(await runs.proposePlan(second, { file: "First that.", most: MAX_OF_RUN }, AT)).toBe("proposed");
  await runs.finish(second, WELL, LATER);
  await say("Approve");
  expect(await find()).toMatchObject({ state: "QUEUED", turn: 3, planState: "approved" });
  const told = (await runs.listFollowUps(id)).map(({ message }) => message);
  expect(told[1]).toContain("Your plan was not approved.");
  expect(told[3]).toContain("Your plan was approved.");
});

test.each([
  ["Approve", "approved"],
  ["approve.", "approved"],
  ["  APPROVE \r\nThen tell the others.", "approved"],
  ["Approve!", "rejected"],
  ["Approved", "rejected"],
  ["approved, thanks", "rejected"],
  ["Approve..", "rejected"],
  ["Approve nothing before Monday.", "rejected"],
  ["Approved by nobody: approve? no", "rejected"],
  ["Approve-all is wrong.", "rejected"],
  ["Approve? No, first name the files.", "rejected"],
  ["> Approve", "rejected"],
  ["Not yet.\nApprove", "rejected"],
  ["I do not approve.", "rejected"],
])("the answer %j leaves a plan %s", async (answer, planState) => {
  const { runs, begin, say, find } = await aPlanner();
  const claim = await begin();
  await runs.proposePlan(claim, { file: "First this.", most: MAX_OF_RUN }, AT);
  await runs.finish(claim, WELL, LATER);
  await say(answer);
  expect(await find()).toMatchObject({ planState });
});

test("a plan without an answer of the agent is none, and a run that waits or asks is not asked about its plan", async () => {
  const { id, runs, begin } = await aPlanner();
  const claim = await begin();
  expect(await runs.proposePlan(claim, { most: MAX_OF_RUN }, AT)).toBe("no plan");
  await runs.keepReport(claim, { answer: "As reported." }, AT);
  await runs.block({ id, turn: 1 }, "Which one?", AT);
  expect(await runs.proposePlan(claim, { file: "First this.", most: MAX_OF_RUN }, AT)).toBe("not asked");
  expect(
    await runs.proposePlan(
      { ...claim, ticket: claim.ticket + 1 },
      { file: "First this.", most: MAX_OF_RUN },
      AT,
    ),
  ).toBe("not asked");
});

test("another agent approves no plan", async () => {
  const { id, runs, begin, say, find } = await aPlanner();
  const claim = await begin();
  const child = aRun({ ancestors: [id] });
  await runs.create(child, AT);
  await runs.proposePlan(claim, { file: "First this.", most: MAX_OF_RUN }, AT);
  await runs.finish(claim, WELL, LATER);
  await begin();
  await say("Approve", child.id);
  expect((await find())?.planState).not.toBe("approved");
});

test("an agent reads what was decided after the answer, also when the id of the answer is from another thread", async () => {
  const { id, runs, begin, say } = await aPlanner();
  const claim = await begin();
  await runs.proposePlan(claim, { file: "First this.", most: MAX_OF_RUN }, AT);
  await runs.finish(claim, WELL, LATER);
  const ofOtherThread = firstUuidOf(Date.now() + 5_000);
  await say("Approve", undefined, ofOtherThread);
  const [answer, decision] = await runs.listFollowUps(id);
  expect(answer?.message).toBe("Approve");
  expect(decision?.message).toContain("Your plan was approved.");
});
