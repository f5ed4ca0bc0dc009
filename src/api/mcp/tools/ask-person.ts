import { setTimeout as sleep } from "node:timers/promises";
import type { LiveAnswer, LiveQuestion } from "../../../runs/agents/live-questions.ts";
import { forRuns, type ToolAnswer, type ToolContext, tool } from "../tool.ts";
import { ownTurn } from "./own-run.ts";

interface Given {
  question: string;
  choices?: string[];
  urgency?: "low" | "normal" | "high";
}

/** The run is BLOCKED until somebody answers. */
export const askPerson = tool<Given>({
  name: "ask_person",
  title: "Ask a person",
  description:
    "Asks a person a question when you cannot go on without their decision. The answer comes back here or begins your next turn.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["question"],
    properties: {
      question: { type: "string", minLength: 1, description: "The question, with what one has to know." },
      choices: {
        type: "array",
        minItems: 1,
        maxItems: 10,
        items: { type: "string", minLength: 1, maxLength: 200 },
        description: "Answers to choose from. The person may also answer something else.",
      },
      urgency: { type: "string", enum: ["low", "normal", "high"] },
    },
  },
  holds: true,
  refusal: forRuns,
  async call({ question: message, ...rest }, context) {
    const turn = ownTurn(context.caller);
    // Before the run is blocked: an answer that comes at once finds who has asked.
    const question = context.questions.ask(turn);
    await context
      .call("reportBlocked", { path: { runId: turn.id }, body: { message, ...rest } })
      .catch((error) => {
        question?.withdraw();
        throw error;
      });
    const answer = question && (await answerWithin(question, context));
    return answer === undefined ? recorded() : answered(answer, context);
  },
  async resume(_given, context) {
    const question = await askedAgain(context);
    const answer = question && (await answerWithin(question, context));
    if (answer !== undefined) return answered(answer, context);
    return (await isBlocked(context)) ? recorded() : notOpen();
  },
});

/** Where the server was started again, a worker tells it of the sessions that it has within seconds. */
const SESSION_MS = 30_000;
const LOOK_MS = 250;

/** The question that is open, once the session of its agent is known; nothing when it is not open, or no session lives. */
async function askedAgain(context: ToolContext): Promise<LiveQuestion | undefined> {
  const until = performance.now() + SESSION_MS;
  let hasGone = false;
  void context.sent.then(() => {
    hasGone = true;
  });
  while (!hasGone && performance.now() < until && (await isBlocked(context))) {
    const question = context.questions.ask(ownTurn(context.caller));
    // An answer that came before it was asked again has gone to the session's input.
    if (question && (await isBlocked(context))) return question;
    question?.withdraw();
    await sleep(LOOK_MS);
  }
  return undefined;
}

async function isBlocked(context: ToolContext): Promise<boolean> {
  const { state } = await context.call("getRun", { path: { runId: ownTurn(context.caller).id } });
  return state === "BLOCKED";
}

/** Holds the call until somebody answers, for as long as the session may be idle, and the client is there. */
async function answerWithin(question: LiveQuestion, context: ToolContext): Promise<LiveAnswer | undefined> {
  const timer = setTimeout(question.withdraw, context.questions.holdMs(ownTurn(context.caller)) ?? 0);
  void context.sent.then((isSent) => isSent || question.withdraw());
  return question.answer.finally(() => clearTimeout(timer));
}

function answered({ text, settle }: LiveAnswer, { sent }: ToolContext): ToolAnswer {
  void sent.then(settle);
  return { text: `The person answered:\n\n${text}` };
}

function notOpen(): ToolAnswer {
  return {
    text: "The connection was cut, and the question is not open any more. If it was answered, the answer is the next message that you get. Otherwise, ask again.",
  };
}

function recorded(): ToolAnswer {
  return {
    text: "The question was recorded. End your turn now; the answer begins your next turn.",
  };
}
