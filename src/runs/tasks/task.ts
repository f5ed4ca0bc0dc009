import { inBatches } from "../../concurrency/periodic-jobs.ts";
import type { ExpectedTags } from "../../concurrency/record-tag.ts";
import type { Principal } from "../../principals/principal.ts";
import type { Artifact } from "../rules/artifact.ts";
import type { StoredMessage } from "../rules/conversation.ts";
import type { Dismissal, EndedMember } from "../rules/family.ts";
import type { Ticket } from "../rules/run-task.ts";
import type { Stage } from "../rules/stage.ts";
import type { RunState } from "../rules/state.ts";
import type { Run } from "../run.ts";

/** A piece of work of a factory. Its runs are the one whose conversation it is, and all that were started for that one. */
export interface Task {
  uid: string;
  factoryUid: string;
  /** The id of the run that has the conversation. That run may have been deleted. */
  conversationId: string;
  title: string;
  description: string | null;
  stage: Stage;
  /** When it entered its stage. */
  stageAt: string;
  /** Who started its first run. */
  author: Principal;
  ticket: Ticket | null;
  createdAt: string;
  updatedAt: string;
}

/** A task for a conversation that exists. */
export interface NewTask {
  uid: string;
  factoryUid: string;
  conversationId: string;
  title: string;
  description: string | null;
  stage: Stage;
}

/** Who changes a task: a person, or the agent of a run. */
export interface TaskEditor {
  principal: Principal;
  runId: string | null;
}

/** What is changed of a task; what is left out stays. */
export interface TaskChange {
  title?: string;
  description?: string | null;
  stage?: Stage;
}

/** A run of a task, as the task shows what goes on. */
export interface CurrentRun {
  taskUid: string;
  runId: string;
  state: RunState;
  agent: string;
}

/** A task that was cancelled. */
export interface CancelledTask {
  task: Task;
  /** The runs that were ended, or whose end was asked for, and the states that they were in. */
  runs: EndedMember[];
  /** Whether there may be others that have not ended: too many for one transaction. */
  hasMore: boolean;
}

/** A page of what was said in the runs of a task. */
export interface TaskMessages {
  /** Each with its run; without a message, it is the prompt of the run. */
  messages: { run: Run; message: StoredMessage | null }[];
  /** Whether the last one is there only to tell that there is another page: the texts were too long for more. */
  isCut: boolean;
}

/** Keeps tasks. `find` and `list` read, the rest writes; each call is one transaction. Deleted tasks are found by nothing. */
export interface TaskStore {
  /**
   * Makes a task of a run and of those that were started for it.
   * @returns "no run" when the factory has no such run, "taken" when that belongs to a task already
   */
  create(task: NewTask, by: TaskEditor, at: string): Promise<Task | "no run" | "taken">;
  find(uid: string): Promise<Task | undefined>;
  findByConversation(conversationId: string): Promise<Task | undefined>;
  list(query: TaskQuery): Promise<TaskPage>;
  /** The stages that a task left and entered last; it left none when it was made. */
  findLastMove(uid: string): Promise<{ from: string | null; to: string } | undefined>;
  /** @returns "changed" when it is not as expected, "too many moves" when the agent of a run has moved it too often */
  update(
    uid: string,
    change: TaskChange,
    by: TaskEditor & { expected?: ExpectedTags },
    at: string,
  ): Promise<Task | "changed" | "too many moves" | undefined>;
  /** Deletes a task; its runs go on without it. */
  remove(uid: string, expected: ExpectedTags, at: string): Promise<"removed" | "changed" | undefined>;
  /** Moves a task to CANCELLED, and ends its runs, or asks for their end: many of them at a time. */
  cancel(uid: string, by: Dismissal["by"], at: string): Promise<CancelledTask | undefined>;
  /** The runs of a task, oldest first, after a run. */
  listRuns(uid: string, page: { after?: string; limit: number }): Promise<Run[]>;
  /** What shows the progress of each task: the newest run that has not ended, else the newest; and those that are blocked. */
  listCurrentRuns(uids: readonly string[]): Promise<{ current: CurrentRun[]; blocked: CurrentRun[] }>;
  /** What was said in the runs of a task, prompts included, oldest first, after a message. */
  listMessages(uid: string, page: { after?: string; limit: number }): Promise<TaskMessages>;
  /** What the runs of a task have made, newest first. */
  listOutputs(uid: string, limit: number): Promise<Artifact[]>;
  /** Forgets tasks that are closed or deleted since before an instant, and have no runs any more. @returns how many */
  forget(before: string, limit: number): Promise<number>;
}

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

/** Forgets tasks that were closed or deleted long ago, once their runs are forgotten. */
export function forgetTasks(
  { store, keepMs, now }: { store: Pick<TaskStore, "forget">; keepMs: number; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - keepMs).toISOString();
  return inBatches((limit) => store.forget(before, limit), signal);
}
