import { MillraceError } from "../../../errors/error.ts";
import { forOperators, type ToolAnswer, type ToolContext, tool } from "../tool.ts";
import { ownRun } from "../tools/own-run.ts";
import { NAMED } from "./named-factory.ts";
import { findTask, type NamedTask, taskInput, taskRefusal } from "./named-task.ts";
import { taskEntry } from "./task-entry.ts";

/** The work is done: the task is closed, and only that. */
export const completeTask = tool<NamedTask & { summary?: string }>({
  name: "complete_task",
  title: "Complete a task",
  description:
    "Moves a task to COMPLETE when nothing is left to do. Name the task, or any run of it. Completing it again changes nothing.",
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      run_id: {
        type: "string",
        description: "Any run of the task, for example your own. An agent can leave it out.",
      },
      factory_task_uid: taskInput,
      summary: { type: "string", minLength: 1, description: "For agents: the final answer of your run." },
    },
  },
  synonyms: { task_uid: NAMED.task_uid, answer: "summary", note: "summary" },
  refusal: (caller) => forOperators(caller) ?? taskRefusal(caller),
  async call({ summary, ...named }, context) {
    if (summary !== undefined) await storeAnswer(summary, context);
    return complete(named, context);
  },
});

/** @throws MillraceError `invalid_request` for an API key, which has no run that answers */
export async function storeAnswer(text: string, { caller, call }: ToolContext): Promise<void> {
  if (caller.kind === "key") {
    throw new MillraceError("invalid_request", "summary: an API key has no run whose answer it could be.", {
      remedy: "Leave it out. message_foreman sends a message to the foreman.",
    });
  }
  await call("reportAnswer", { path: { runId: ownRun(caller) }, body: { text } });
}

export async function complete(named: NamedTask, context: ToolContext): Promise<ToolAnswer> {
  const { factory_uid: uid, uid: taskUid } = await findTask(named, context);
  const task = await context.call("updateTask", { path: { uid, taskUid }, body: { stage: "COMPLETE" } });
  return { text: `The task "${task.title}" is COMPLETE.`, data: taskEntry(task, context.publicUrl) };
}
