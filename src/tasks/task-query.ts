import type { Stage } from "./rules/stage.ts";
import type { Task } from "./task.ts";

/** What a list of tasks can be sorted by. */
export const TASK_SORTS = ["created_at", "updated_at"] as const;

export type TaskSort = (typeof TASK_SORTS)[number];

/** What tasks are looked for by: everything that is there has to fit. */
export interface TaskFilter {
  factoryUid: string;
  stages?: readonly Stage[];
  /** Uids or names of authors. */
  authors?: readonly string[];
  /** Part of the title, in letters of any case. */
  text?: string;
  createdAfter?: string;
  createdBefore?: string;
  updatedAfter?: string;
}

/** Where a page of tasks ended. */
export interface TaskPosition {
  at: string;
  uid: string;
}

export interface TaskQuery {
  filter: TaskFilter;
  sort: TaskSort;
  descending: boolean;
  after?: TaskPosition;
  limit: number;
}

/** A page of tasks, and where the next one begins. */
export interface TaskPage {
  tasks: Task[];
  next?: TaskPosition;
}
