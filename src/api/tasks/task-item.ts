import type { Models } from "../../client/typed-paths.ts";
import type { Task, TaskStore } from "../../tasks/task.ts";
import { taskView } from "./task-view.ts";

const MAX_OUTPUTS = 100;

/** A task by itself, with all that is known of it. */
export async function taskItem(
  task: Task,
  { tasks }: { tasks: Pick<TaskStore, "listCurrentRuns" | "listOutputs"> },
): Promise<Models["Task"]> {
  const [{ current, blocked }, outputs] = await Promise.all([
    tasks.listCurrentRuns([task.uid]),
    tasks.listOutputs(task.uid, MAX_OUTPUTS),
  ]);
  return taskView(task, { current: current[0], blocked: blocked[0], outputs, hasTicket: true });
}
