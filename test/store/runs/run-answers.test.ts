import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import type { Ending } from "../../../src/runs/run.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

const WELL = { state: "SUCCEEDED", exitCode: 0, statusMessage: null } as const;
const FITS = { ...WELL, checked: { json: '{"verdict":"pass"}' } };
const WRONG = { ...WELL, checked: { problems: ["it is wrong"], repair: "Correct it." } };

/** A run in a store, turn by turn. */
async function aRunOfTurns() {
  const { runs } = await aStore();
  const { id } = await runs.create(aRun(), AT);
  const begin = async () => {
    const [claim] = await runs.claim(1, LEASE, AT);
    if (!claim) return undefined;
    const ticket = { id, ticket: claim.ticket };
    await runs.start({ ...ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, AT);
    return ticket;
  };
  return {
    id,
    runs,
    begin,
    /** @returns nothing where no turn waits */
    async turn(ending: Ending) {
      const ticket = await begin();
      if (ticket) await runs.finish(ticket, ending, LATER);
      return ticket && (await runs.find(id));
    },
    repairs: async () =>
      (await runs.listFollowUps(id)).filter(({ message }) => message === "Correct it.").length,
    say: (message: string) =>
      runs.followUp(
        { id: newUuid(), runId: id, message, creator: { uid: "ann", type: "user", displayName: "Ann" } },
        null,
        AT,
      ),
  };
}

test("an answer that fits is kept with its turn, and one of a later turn takes its place", async () => {
  const { turn, say } = await aRunOfTurns();
  expect(await turn(FITS)).toMatchObject({
    state: "SUCCEEDED",
    answerJson: FITS.checked.json,
    answerJsonTurn: 1,
  });
  await say("Again.");
  const other = { ...WELL, checked: { json: "[]" } };
  expect(await turn(other)).toMatchObject({ state: "SUCCEEDED", answerJson: "[]", answerJsonTurn: 2 });
  await say("Again.");
  expect(await turn({ ...WELL, state: "FAILED" })).toMatchObject({ state: "FAILED", answerJson: null });
});

test("a wrong answer begins one turn for its repair, and a second one fails", async () => {
  const { turn, repairs } = await aRunOfTurns();
  expect(await turn(WRONG)).toMatchObject({ state: "QUEUED", turn: 2, statusMessage: null });
  expect(await turn(WRONG)).toMatchObject({
    state: "FAILED",
    turn: 2,
    statusMessage: { error_code: "invalid_answer" },
  });
  expect(await turn(FITS)).toBeUndefined();
  expect(await repairs()).toBe(1);
});

test("an ending that is reported twice repairs once", async () => {
  const { begin, runs, repairs, turn } = await aRunOfTurns();
  const ticket = await begin();
  if (!ticket) throw new Error("no turn");
  await runs.finish(ticket, WRONG, LATER);
  expect(await runs.finish(ticket, WRONG, LATER)).toBeUndefined();
  expect(await repairs()).toBe(1);
  expect(await turn(FITS)).toMatchObject({ state: "SUCCEEDED", turn: 2 });
});

test("a repair whose turn is lost is not asked for again by itself", async () => {
  const { begin, turn, runs, id, repairs, say } = await aRunOfTurns();
  await turn(WRONG);
  await begin();
  await runs.recoverLost([id], "The server was killed.", LATER);
  expect(await runs.find(id)).toMatchObject({ state: "ERROR", turn: 2 });
  expect(await repairs()).toBe(1);
  await say("Go on.");
  expect(await turn(WRONG)).toMatchObject({ state: "QUEUED", turn: 4 });
});

test("a turn that asks a person has no answer to be judged, and leaves its repair to the next", async () => {
  const { begin, turn, runs, id, say } = await aRunOfTurns();
  await turn(WRONG);
  const ticket = await begin();
  if (!ticket) throw new Error("no turn");
  await runs.block({ id, turn: 2 }, "Which one?", AT);
  await runs.finish(ticket, WRONG, LATER);
  expect(await runs.find(id)).toMatchObject({ state: "BLOCKED" });
  await say("The first.");
  expect(await turn(WRONG)).toMatchObject({ state: "FAILED", turn: 3 });
});

test("a cancelled run is not repaired", async () => {
  const { begin, runs, id, repairs } = await aRunOfTurns();
  const ticket = await begin();
  if (!ticket) throw new Error("no turn");
  await runs.cancel(id, AT);
  await runs.finish(ticket, WRONG, LATER);
  expect(await runs.find(id)).toMatchObject({ state: "CANCELLED" });
  expect(await repairs()).toBe(0);
});

test("what a schema makes impossible is not asked for again", async () => {
  const { turn, repairs } = await aRunOfTurns();
  const final = { ...WELL, checked: { problems: ["it takes too long"] } };
  expect(await turn(final)).toMatchObject({ state: "FAILED", turn: 1 });
  expect(await repairs()).toBe(0);
});
