import { forRuns, tool } from "../tool.ts";
import { ownRun } from "./own-run.ts";

/** What the run has to say at last, for whoever has asked. */
export const answer = tool<{ text: string }>({
  name: "answer",
  title: "Give the final answer",
  description:
    "Sets the final answer of this turn, for the person or the agent that started the run. Call it once, when the work is done, then end your turn.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: {
      text: { type: "string", minLength: 1, description: "The answer, in Markdown." },
    },
  },
  refusal: forRuns,
  async call({ text }, { caller, call }) {
    const path = { runId: ownRun(caller) };
    await call("reportAnswer", { path, body: { text } });
    return { text: "The answer was stored. End your turn when nothing is left to do." };
  },
});
