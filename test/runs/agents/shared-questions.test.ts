import { expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { createLiveQuestions, sharedQuestions } from "../../../src/runs/agents/live-questions.ts";

/** The questions of a server in whose store a message to the run has come, or not. */
function given() {
  const turn = { id: newUuid(), turn: 1 };
  let lastMessage = "";
  const questions = sharedQuestions(createLiveQuestions(), {
    listNews: async ([id = ""]) => [{ id, isCancelled: false, lastMessage }],
  });
  questions.open(turn, undefined);
  return { turn, questions, store: (message: string) => (lastMessage = message) };
}

test("a question whose answer went to the session at another server is taken back", async () => {
  const { turn, questions, store } = given();
  const question = questions.ask(turn);
  setTimeout(() => store(newUuid()), 100);
  expect(await question?.answer).toBeUndefined();
  expect(questions.reply(turn, "Yes.")).toBeUndefined();
}, 20_000);

test("a question is answered here when its session is here", async () => {
  const { turn, questions, store } = given();
  const question = questions.ask(turn);
  store(newUuid());
  void questions.reply(turn, "Yes.");
  expect((await question?.answer)?.text).toBe("Yes.");
});
