import type { Run, Task, TaskStage } from "../../api/models.ts";
import { STAGES } from "../../api/task-stages.ts";
import { AGES, type BoardFilters } from "./board-filters.ts";

/** A task as a board shows it. */
export interface Card {
  task: Task;
  /** The stage that it is shown in: where it is being moved to, before the server has answered. */
  stage: TaskStage;
  /** The run that waits for an answer, else the current one. */
  shown: Task["current_run"];
  /** All of that run, where it has not ended. */
  run: Run | undefined;
  isBlocked: boolean;
  /** Whether its agent says that it needs an answer soon. */
  isUrgent: boolean;
  /** Since when it has been in its stage. */
  since: string;
}

interface BoardState {
  tasks: readonly Task[];
  /** Runs that have not ended, by their ids. */
  runs: ReadonlyMap<string, Run>;
  /** Where tasks are being moved to, by their uids. */
  moves: ReadonlyMap<string, TaskStage>;
  filters: Pick<BoardFilters, "age" | "isBlocked">;
  now: number;
}

/** The cards of each stage: those that wait for a person first, then those that came there last. */
export function cardsByStage({
  tasks,
  runs,
  moves,
  filters,
  now,
}: BoardState): ReadonlyMap<TaskStage, Card[]> {
  const minAgeMs = AGES.find(({ value }) => value === filters.age)?.ms ?? Number.NEGATIVE_INFINITY;
  const unique = new Map(tasks.map((task) => [task.uid, task]));
  const cards = [...unique.values()]
    .map((task): Card => cardOf(task, moves.get(task.uid), runs))
    .filter(({ isBlocked }) => isBlocked || !filters.isBlocked)
    .filter(({ since }) => now - Date.parse(since) >= minAgeMs)
    .toSorted((one, other) => rank(one) - rank(other) || other.since.localeCompare(one.since));
  return new Map(STAGES.map((stage) => [stage, cards.filter((card) => card.stage === stage)]));
}

function cardOf(task: Task, moving: TaskStage | undefined, runs: ReadonlyMap<string, Run>): Card {
  const shown = task.blocked_run ?? task.current_run;
  const run = runs.get(shown?.run_id ?? "");
  const isBlocked = shown?.state === "BLOCKED";
  return {
    task,
    stage: moving ?? task.stage,
    shown,
    run,
    isBlocked,
    isUrgent: isBlocked && run?.question?.urgency === "high",
    since: task.stage_changed_at,
  };
}

function rank({ isBlocked, isUrgent }: Card): number {
  if (isUrgent) return 0;
  return isBlocked ? 1 : 2;
}
