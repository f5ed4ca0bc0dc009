import { forRuns, type ToolContext, tool } from "../tool.ts";
import { ownRun } from "../tools/own-run.ts";
import { complete, storeAnswer } from "./complete-task.ts";
import { parentOf } from "./message-foreman.ts";
import { findTask, taskRefusal } from "./named-task.ts";

interface Given {
  summary: string;
  status?: "success" | "failure";
}

/** An agent has done its part. */
export const finishTask = tool<Given>({
  name: "finish_task",
  title: "Finish your work",
  description:
    "Sets the final answer of your run. With status success, the task is moved to COMPLETE if your run is the one that it was created for; otherwise the run that started yours decides. Then end your turn.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["summary"],
    properties: {
      summary: { type: "string", minLength: 1, description: "What was done, and what was not, in Markdown." },
      status: { type: "string", enum: ["success", "failure"], description: "success by default." },
    },
  },
  synonyms: { answer: "summary", message: "summary", note: "summary" },
  refusal: forRuns,
  async call({ summary, status = "success" }, context) {
    await storeAnswer(summary, context);
    if (status === "failure" || !(await hasTask(context))) {
      const receiver =
        parentOf(context.caller) === undefined ? "" : " The run that started this one gets it.";
      return { text: `The answer was stored.${receiver} No task was moved. End your turn.` };
    }
    const { text, data = {} } = await complete({}, context);
    return { text: `The answer was stored. ${text} End your turn.`, data };
  },
});

/** Whether the task is that of the run itself, and of none above it: one that was made for the run, or for what it repeats. */
async function hasTask(context: ToolContext): Promise<boolean> {
  const { caller } = context;
  if (taskRefusal(caller) !== undefined) return false;
  return parentOf(caller) === undefined || (await findTask({}, context)).run_id === ownRun(caller);
}
