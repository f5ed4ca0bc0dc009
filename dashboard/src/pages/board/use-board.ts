import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { TaskStage } from "../../api/models.ts";
import { itemsOf } from "../../api/pages.ts";
import { latestRunsQuery } from "../../api/queries.ts";
import { closedTasksQuery, MAX_OPEN, openTasksQuery } from "../../api/task-queries.ts";
import { type BoardFilters, taskQueryOf } from "./board-filters.ts";
import { cardsByStage } from "./cards.ts";

/** As many as the cards of a board can need. Of runs that have ended, the tasks themselves tell enough. */
const RUNS = {
  state: ["QUEUED" as const, "CLAIMED" as const, "INPROGRESS" as const, "BLOCKED" as const],
  limit: MAX_OPEN,
};

/** What the board of a factory shows. @param moves where tasks are being moved to */
export function useBoard(factory: string, filters: BoardFilters, moves: ReadonlyMap<string, TaskStage>) {
  const asked = taskQueryOf(filters);
  const open = useQuery(openTasksQuery(factory, asked));
  const complete = useInfiniteQuery(closedTasksQuery(factory, "COMPLETE", asked));
  const cancelled = useInfiniteQuery(closedTasksQuery(factory, "CANCELLED", asked));
  const { data: runs } = useQuery(latestRunsQuery({ ...RUNS, factory_uid: [factory] }));
  const tasks = useMemo(
    () => [...(open.data ?? []), ...itemsOf(complete.data), ...itemsOf(cancelled.data)],
    [open.data, complete.data, cancelled.data],
  );
  const columns = useMemo(() => {
    const runsById = new Map((runs ?? []).map((run) => [run.run_id, run]));
    return cardsByStage({ tasks, runs: runsById, moves, filters, now: Date.now() });
  }, [tasks, runs, moves, filters]);
  const queries = [open, complete, cancelled];
  return {
    columns,
    /** The columns that are loaded page by page. */
    paged: new Map<TaskStage, Pick<typeof complete, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">>([
      ["COMPLETE", complete],
      ["CANCELLED", cancelled],
    ]),
    authors: tasks.flatMap(({ author }) => author?.display_name ?? author?.uid ?? []),
    /** Whether there are more open tasks than are loaded. */
    isCut: (open.data?.length ?? 0) >= MAX_OPEN,
    isPending: queries.some(({ isPending }) => isPending),
    error: queries.find(({ error }) => error)?.error,
    retry: () => {
      for (const query of queries) void query.refetch();
    },
  };
}
