import type { SchemaProblem } from "../../definitions/loading/output-schema.ts";
import { createWorkThread, Overrun } from "../../platform/work-thread.ts";
import { type CheckedAnswer, MAX_ANSWER_JSON_BYTES } from "../rules/output-answer.ts";
import { type FromAnswer, type ToAnswer, tooLong } from "./check-answer.ts";

/** Checks answers by their schemas on a thread of its own: a pattern, or a schema that refers to itself, can take for ever. */
export interface AnswerChecker {
  /** @returns what keeps an object from being the schema of answers; nothing where nothing does */
  schemaProblem(schema: object): Promise<SchemaProblem | undefined>;
  /** @param text what an agent has said, with the JSON in it */
  check(schema: object, text: string): Promise<CheckedAnswer>;
  stop(): Promise<void>;
}

/** What people write takes milliseconds. */
const CPU_MS = 1_000;
const THREAD = { memoryMb: 256, mostWaiting: 1_000, idleMs: 30_000 };
/** Longer texts are not even looked at: white space and a fence around the JSON take little. */
const MAX_TEXT = 2 * MAX_ANSWER_JSON_BYTES;

export function createAnswerChecker(): AnswerChecker {
  const thread = createWorkThread("answer", THREAD);
  const ask = (message: ToAnswer) =>
    thread.run({ cpuMs: CPU_MS }, async (send) => (await send(message)) as FromAnswer);

  return {
    async schemaProblem(schema) {
      try {
        const answer = await ask({ schema: JSON.stringify(schema) });
        return "problem" in answer ? answer.problem : undefined;
      } catch (error) {
        if (!(error instanceof Overrun)) throw error;
        return {
          at: [],
          message: "takes too long to prepare: use fewer and simpler patterns and references",
        };
      }
    },
    async check(schema, text) {
      if (text.length > MAX_TEXT) return { problems: [tooLong(text.length)] };
      try {
        const answer = await ask({ schema: JSON.stringify(schema), text });
        return "checked" in answer ? answer.checked : { problems: [] };
      } catch (error) {
        if (!(error instanceof Overrun)) throw error;
        return { problems: [TOO_COSTLY], isFinal: true };
      }
    },
    stop: thread.stop,
  };
}

const TOO_COSTLY =
  "checking it against the schema takes too long: use simpler patterns and fewer alternatives in the schema";
