import { millrace } from "./client.ts";
import type { Task, TaskStage } from "./models.ts";
import { tagged } from "./tagged.ts";

/**
 * Moves a task to another stage, if it is still in the one that it was shown in.
 * @returns the stage that someone else has moved it to; nothing if it was moved
 * @throws PreconditionFailedError if someone else changes it at the same time
 */
export async function moveTask(shown: Task, stage: TaskStage): Promise<TaskStage | undefined> {
  const current = await tagged(millrace.tasks.get(shown.factory_uid, shown.uid));
  if (current.stage !== shown.stage && current.stage !== stage) return current.stage;
  await millrace.tasks.update(shown.factory_uid, shown.uid, { stage }, {}, current.etag);
  return undefined;
}
