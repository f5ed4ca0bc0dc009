import { MillraceError } from "../../../errors/error.ts";
import { STAGES, type Stage } from "../../../tasks/rules/stage.ts";
import type { Caller } from "../../http/authorize.ts";
import { forOperators, tool } from "../tool.ts";

interface Given {
  stage: Stage;
  task_uid?: string;
  factory?: string;
}

/** Where a task stands on the board. */
export const moveTask = tool<Given>({
  name: "move_task",
  title: "Move the task",
  description:
    "Moves the task that your run works on to another stage of the board. Do it as the work advances.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["stage"],
    properties: {
      stage: { type: "string", enum: [...STAGES] },
      task_uid: { type: "string", description: "With an API key: the task. An agent leaves it out." },
      factory: { type: "string", description: "With an API key: the factory of the task." },
    },
  },
  refusal(caller) {
    if (caller.kind === "key") return forOperators(caller);
    if (caller.run.taskUid !== null) return undefined;
    return "This run belongs to no task.";
  },
  async call({ stage, ...named }, { caller, call }) {
    const task = await call("updateTask", { path: taskOf(named, caller), body: { stage } });
    return { text: `The task "${task.title}" is in the stage ${task.stage}.` };
  },
});

/** The task that a call is about: the one that is named, else that of the run. @throws MillraceError `invalid_request` */
export function taskOf(
  { task_uid: named, factory }: Omit<Given, "stage">,
  caller: Caller,
): { uid: string; taskUid: string } {
  const run = caller.kind === "run" ? caller.run : undefined;
  const taskUid = named ?? run?.taskUid;
  const uid = run ? run.factoryUid : factory;
  if (taskUid && uid) return { uid, taskUid };
  throw new MillraceError("invalid_request", 'missing key "task_uid" or "factory".', {
    remedy: "Give the UID of the task and, with an API key, its factory.",
  });
}
