import type { TaskStore } from "../../tasks/task.ts";
import type { RunDeps } from "../runs/run-deps.ts";

/** What the endpoints of tasks stand on. */
export interface TaskDeps extends RunDeps {
  tasks: TaskStore;
}
