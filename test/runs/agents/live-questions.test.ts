import { expect, test } from "vitest";
import { createLiveQuestions } from "../../../src/runs/agents/live-questions.ts";

const FIRST = { id: "run", turn: 1 };
const SECOND = { id: "run", turn: 2 };

test("a call of an earlier turn neither gets the answer to a question nor takes its place", async () => {
  const questions = createLiveQuestions();
  questions.open(SECOND, 1_000);
  const asked = questions.ask(SECOND);
  expect(questions.ask(FIRST)).toBeUndefined();
  expect(questions.holdMs(FIRST)).toBeUndefined();
  expect(questions.reply(FIRST, "Red")).toBeUndefined();
  const isSent = questions.reply(SECOND, "Blue");
  const answer = await asked?.answer;
  expect(answer?.text).toBe("Blue");
  answer?.settle(true);
  expect(await isSent).toBe(true);
});

test("a question whose turn ends gets no answer, and that of the next turn stays open", async () => {
  const questions = createLiveQuestions();
  const end = questions.open(FIRST, 1_000);
  const asked = questions.ask(FIRST);
  questions.open(SECOND, 1_000);
  end();
  expect(await asked?.answer).toBeUndefined();
  expect(questions.ask(SECOND)).toBeDefined();
});
