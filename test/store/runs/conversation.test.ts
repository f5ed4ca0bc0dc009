import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { MAX_SAID } from "../../../src/runs/rules/conversation.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

const at = (second: number) => `2026-11-21T10:00:0${second}.000Z`;
const SUCCEEDED = { state: "SUCCEEDED" as const, exitCode: 0, statusMessage: null };

/** A run whose agent is at work and takes messages. */
async function atWork() {
  const store = await aStore();
  const { runs } = store;
  const run = await runs.create(aRun(), AT);
  const [claim] = await runs.claim(1, LEASE, AT);
  const holder = { id: run.id, ticket: claim?.ticket ?? 0 };
  await runs.start({ ...holder, sessionId: newUuid(), tokenHash: "hash", takesInput: true }, at(1));
  const { creator } = run;
  return {
    ...store,
    run,
    holder,
    say: (message: string, second: number) =>
      runs.followUp({ id: newUuid(), runId: run.id, message, creator }, null, at(second)),
    said: async () => (await runs.listMessages(run.id, { limit: 100 })).messages.map(({ text }) => text),
  };
}

test("of what an agent says at last in a turn the last counts, up to the next message that it is given", async () => {
  const { runs, holder, say, said } = await atWork();
  await runs.keepReport(holder, { answer: "I look." }, at(2));
  await runs.keepReport(holder, { answer: "Done." }, at(3));
  await say("And that?", 4);
  const [message] = await runs.listUngiven(holder);
  await runs.give(holder, [message?.id ?? ""], at(5));
  await runs.keepReport(holder, { answer: "That too." }, at(6));
  await runs.finish(holder, SUCCEEDED, at(7));
  expect(await said()).toEqual(["Done.", "And that?", "That too."]);
});

test("an agent that asks for ever is refused, and what it has said stays", async () => {
  const { runs, run, said } = await atWork();
  const question = (n: number) => `${n} ${"x".repeat(MAX_SAID / 4)}`;
  const outcomes = [];
  for (let n = 0; n < 4; n += 1) outcomes.push(await runs.block({ id: run.id, turn: 1 }, question(n), at(2)));
  expect(outcomes).toEqual(["blocked", "blocked", "blocked", "full"]);
  expect((await said()).map((text) => text[0])).toEqual(["0", "1", "2"]);
});

test("a blocked run is listed since its last question, one of no factory only to those who see all", async () => {
  const { runs, run } = await atWork();
  expect(await runs.listBlocked(null, 10)).toEqual([]);
  await runs.block({ id: run.id, turn: 1 }, "Which one?", at(2));
  await runs.block({ id: run.id, turn: 1 }, "And then?", at(3));
  const { id, title } = run;
  expect(await runs.listBlocked(null, 10)).toMatchObject([{ id, title, factoryUid: null, since: at(3) }]);
  for (const within of [["f"], []]) expect(await runs.listBlocked(within, 10)).toEqual([]);
});

test("an answer that is too long is refused, and the one before it stays", async () => {
  const { runs, run, said } = await atWork();
  const answer = (text: string) => runs.reportAnswer({ id: run.id, turn: 1 }, text, at(2));
  const long = (letter: string) => letter.repeat(MAX_SAID - 10);
  expect(await answer(long("a"))).toBe("kept");
  expect(await answer(long("b"))).toBe("kept");
  expect(await answer("c".repeat(MAX_SAID + 1))).toBe("full");
  expect((await said()).map((text) => text[0])).toEqual(["b"]);
});

test("pages end where their texts get too long, and nothing is left out between them", async () => {
  const { runs, run, say, holder } = await atWork();
  const texts = Array.from({ length: 5 }, (_, n) => `${n}${"x".repeat(3 * 1024 * 1024)}`);
  for (const [n, text] of texts.entries()) {
    await say(text, 2);
    const [message] = await runs.listUngiven(holder);
    await runs.give(holder, [message?.id ?? ""], at(n + 3));
  }
  await runs.finish(holder, SUCCEEDED, LATER);
  const first = await runs.listMessages(run.id, { limit: 100 });
  expect(first.isCut).toBe(true);
  const shown = first.messages.slice(0, -1);
  const after = shown.at(-1)?.id ?? "";
  const rest = await runs.listMessages(run.id, { after, limit: 100 });
  const heads = [...shown, ...rest.messages].map(({ text }) => text[0]);
  expect(heads.slice(0, 4)).toEqual(["0", "1", "2", "3"]);
});

test("what was said is deleted with its run", async () => {
  const { runs, run, holder, connection } = await atWork();
  await runs.block({ id: run.id, turn: 1 }, "Which one?", at(2));
  await runs.finish(holder, { ...SUCCEEDED, state: "FAILED" }, at(3));
  expect((await runs.forgetRun(run.id, at(4)))?.isGone).toBe(true);
  expect(await connection.all("SELECT * FROM run_messages", [])).toEqual([]);
});

test("a message to a turn whose program did not start waits for the next message, and is given with it", async () => {
  const { runs } = await aStore();
  const run = await runs.create(aRun(), AT);
  const say = (message: string) =>
    runs.followUp({ id: newUuid(), runId: run.id, message, creator: run.creator }, null, AT);
  const turn = async (second: number, ending: object | undefined) => {
    const [claim] = await runs.claim(1, LEASE, at(second));
    const holder = { id: run.id, ticket: claim?.ticket ?? 0 };
    if (ending)
      await runs.start({ ...holder, sessionId: newUuid(), tokenHash: "h", takesInput: false }, at(second));
    await runs.finish(holder, { ...SUCCEEDED, ...(ending ?? { state: "FAILED" }) }, at(second));
    return runs.find(run.id);
  };
  const messages = async () =>
    (await runs.listMessages(run.id, { limit: 10 })).messages.map(({ text, turn, isGiven }) => [
      text,
      turn,
      isGiven,
    ]);
  await say("One.");
  expect(await turn(1, { state: "SUCCEEDED" })).toMatchObject({ state: "SUCCEEDED", turn: 1 });
  await say("Two.");
  // Its setup has failed.
  expect(await turn(2, undefined)).toMatchObject({ state: "FAILED", turn: 2 });
  expect((await messages()).at(-1)).toEqual(["Two.", 2, false]);
  await say("Three.");
  // Its program could not be started.
  expect(await turn(3, { state: "FAILED", isUnstarted: true })).toMatchObject({ state: "FAILED", turn: 3 });
  await say("Four.");
  expect(await turn(4, { state: "SUCCEEDED" })).toMatchObject({ state: "SUCCEEDED", turn: 4 });
  expect(await messages()).toEqual([
    ["One.", 1, true],
    ["Two.", 4, true],
    ["Three.", 4, true],
    ["Four.", 4, true],
  ]);
});
