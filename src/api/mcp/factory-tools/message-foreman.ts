import { MillraceError } from "../../../errors/error.ts";
import type { Caller } from "../../http/authorize.ts";
import { forOperators, type ToolContext, tool } from "../tool.ts";
import { NAMED } from "./named-factory.ts";
import { findTask, type NamedTask, taskInput } from "./named-task.ts";
import { runUrl } from "./task-entry.ts";

/** What the run that works on a task has to know. */
export const messageForeman = tool<NamedTask & { message: string }>({
  name: "message_foreman",
  title: "Message the foreman",
  description:
    "Sends a message to the foreman of a task: a status, a question, or what you have done. An agent writes to the run that started it. It does not move the task.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["message"],
    properties: { factory_task_uid: taskInput, message: { type: "string", minLength: 1 } },
  },
  synonyms: { task_uid: NAMED.task_uid, text: "message", note: "message" },
  refusal(caller) {
    if (caller.kind === "key") return forOperators(caller);
    return parentOf(caller) === undefined ? NO_PARENT : undefined;
  },
  call: ({ message, ...named }, context) => sendToForeman(named, message, context),
});

const NO_PARENT =
  "No run started this run, so it is the first of its task. Use ask_person of the server millrace to ask a person.";

/** Sends a message to the run that a task was created for, or from an agent to the run that has started its own. */
export async function sendToForeman(named: NamedTask, message: string, context: ToolContext) {
  const runId = await foremanRun(named, context);
  const sent = await context.call("followUp", { path: { runId }, body: { message } });
  const reply =
    context.caller.kind === "key" ? "get_conversation shows the reply." : "A reply begins your next turn.";
  return {
    text: `The message was sent to run ${runId} (${sent.outcome}). ${reply}`,
    data: { run_id: runId, run_url: runUrl(runId, context.publicUrl), ...sent },
  };
}

async function foremanRun(named: NamedTask, context: ToolContext): Promise<string> {
  const { caller } = context;
  if (caller.kind === "key") return (await findTask(named, context)).run_id;
  // An agent must not believe that the foreman of another task has its message.
  if (named.factory_task_uid !== undefined) await findTask(named, context);
  const parent = parentOf(caller);
  if (parent !== undefined) return parent;
  throw new MillraceError("not_authorized", NO_PARENT);
}

/** The run that has started the one whose agent calls. */
export function parentOf(caller: Caller): string | undefined {
  return caller.kind === "run" ? caller.run.ancestors.at(-1) : undefined;
}
