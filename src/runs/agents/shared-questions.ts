import { setTimeout as sleep } from "node:timers/promises";
import type { RunStore } from "../run.ts";
import type { LiveQuestion, LiveQuestions } from "./live-questions.ts";

/** So often it is looked whether an answer has come. */
const LOOK_EVERY_MS = 1_000;
/** An answer that is not here so long after it was stored went to the session at another server. */
const ELSEWHERE_AFTER_MS = 3_000;

/**
 * Questions where an agent may ask at one server and have its session at another: the call is held open where it was made. When
 * the answer goes to the session's input elsewhere, the question is taken back, so that the agent reads it there.
 */
export function sharedQuestions(questions: LiveQuestions, store: Pick<RunStore, "listNews">): LiveQuestions {
  const lastMessage = async (runId: string) => (await store.listNews([runId]))[0]?.lastMessage;

  async function withdrawWhenAnsweredElsewhere(runId: string, question: LiveQuestion): Promise<void> {
    let isOpen = true;
    void question.answer.finally(() => {
      isOpen = false;
    });
    const before = await lastMessage(runId);
    let answeredAt: number | undefined;
    while (isOpen) {
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
      if (!isOpen) return;
      // A store that does not answer just now may do so at the next look.
      const last = await lastMessage(runId).catch(() => before);
      if (last === before) continue;
      answeredAt ??= performance.now();
      if (performance.now() - answeredAt >= ELSEWHERE_AFTER_MS) return question.withdraw();
    }
  }

  return {
    ...questions,
    ask(turn) {
      const question = questions.ask(turn);
      if (question) void withdrawWhenAnsweredElsewhere(turn.id, question).catch(() => {});
      return question;
    },
  };
}
