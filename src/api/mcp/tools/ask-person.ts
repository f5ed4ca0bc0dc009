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
});

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

function recorded(): ToolAnswer {
  return {
    text: "The question was recorded. End your turn now; the answer begins your next turn.",
  };
}
