import { MillraceError } from "../../errors/error.ts";
import { isUid } from "../../id.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Task, TaskStore } from "../../tasks/task.ts";
import { findFactory, noSuchFactory } from "../factories/factories.ts";
import type { Caller } from "../http/authorize.ts";
import type { Called } from "../http/endpoint.ts";

/** A request about the tasks of a factory. */
export interface TasksRequest extends Called {
  path: { uid: string };
}

/** A request about one of them. */
export interface TaskRequest extends Called {
  path: { uid: string; taskUid: string };
}

/**
 * The factory whose tasks are asked for. To the agent of a run, that is the run's own.
 * @throws MillraceError `resource_not_found`
 */
export function findTaskFactory(
  { caller, path }: TasksRequest,
  { factories }: { factories: Factories },
): Factory {
  if (caller.kind === "key") return findFactory({ caller, path }, factories);
  const found = factories.find(path.uid);
  if (found && found.record.uid === caller.run.factoryUid) return found;
  throw noSuchFactory(path.uid);
}

/** The task that the path names. @throws MillraceError `resource_not_found`, also for one that the caller may not see */
export async function findTask(
  request: TaskRequest,
  deps: { factories: Factories; tasks: Pick<TaskStore, "find"> },
): Promise<Task> {
  const { taskUid } = request.path;
  const factory = findTaskFactory(request, deps);
  const task = isUid(taskUid) ? await deps.tasks.find(taskUid) : undefined;
  if (task && task.factoryUid === factory.record.uid && seesTask(request, task)) return task;
  throw noSuchTask(taskUid, request.caller);
}

/** The agent of a run sees the task that its run belongs to. In lists, it sees the others of its factory, too. */
export function seesTask({ caller }: Called, { uid }: Pick<Task, "uid">): boolean {
  return caller.kind === "key" || caller.run.taskUid === uid;
}

/** Who calls finds here which tasks there are for them. */
export const ACCESSIBLE_TASKS: Record<Caller["kind"], string> = {
  key: "`millrace tasks list` shows the tasks of a factory.",
  run: "An agent can read and change only the task that its own run belongs to, which is the `task_uid` of the run.",
};

export function noSuchTask(uid: string, { kind }: Pick<Caller, "kind">): MillraceError {
  return new MillraceError("resource_not_found", `The factory has no task ${JSON.stringify(uid)}.`, {
    remedy: ACCESSIBLE_TASKS[kind],
  });
}
