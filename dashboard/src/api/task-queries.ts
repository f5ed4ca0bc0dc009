import { queryOptions } from "@tanstack/react-query";
import { millrace, NotFoundError } from "./client.ts";
import type { TaskQuery, TaskStage } from "./models.ts";
import { pagesOf } from "./paged-query.ts";
import { factoriesQuery, MAX_ROWS } from "./queries.ts";
import { queryClient } from "./query-client.ts";
import { tagged } from "./tagged.ts";
import { OPEN_STAGES } from "./task-stages.ts";

/** More tasks under work are not loaded: nobody reads them on a board. */
export const MAX_OPEN = 500;
/** Tasks that have ended come in pages of so many. */
const CLOSED_ROWS = 20;

/** With tickets and runs, which lists leave out. */
const WHOLE = { full_list: true, include_current_run: true, sort_by: "updated_at" as const };

/** All tasks of a factory that have not ended. */
export const openTasksQuery = (factory: string, filters: TaskQuery) =>
  queryOptions({
    queryKey: ["tasks", factory, "open", filters],
    queryFn: async () =>
      (await millrace.tasks.list(factory, { ...filters, ...WHOLE, stage: [...OPEN_STAGES], limit: MAX_OPEN }))
        .items,
  });

/** Tasks of a factory that have ended in one way, the newest first. */
export const closedTasksQuery = (factory: string, stage: TaskStage, filters: TaskQuery) =>
  pagesOf(
    ["tasks", factory, stage, filters],
    (page) => millrace.tasks.list(factory, { ...filters, ...WHOLE, stage: [stage], ...page }),
    ({ uid }) => uid,
    CLOSED_ROWS,
  );

/** One task; what belongs to it has a key that begins with its. */
export const taskQuery = (factory: string, uid: string) =>
  queryOptions({
    queryKey: ["tasks", factory, "one", uid],
    queryFn: () => tagged(millrace.tasks.get(factory, uid)),
  });

/** The name of the factory that has a task, of those that the key reaches. */
export const taskFactoryQuery = (uid: string) =>
  queryOptions({
    queryKey: ["task-factory", uid],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const factories = await queryClient.ensureQueryData(factoriesQuery);
      let problem: unknown;
      for (const { uid: factory, name } of factories) {
        try {
          await millrace.tasks.get(factory, uid);
          return name;
        } catch (error) {
          if (!(error instanceof NotFoundError)) throw error;
          problem = error;
        }
      }
      throw problem;
    },
  });

/** The runs of a task, the oldest first. */
export const taskRunsQuery = (factory: string, uid: string) =>
  queryOptions({
    queryKey: ["tasks", factory, "one", uid, "runs"],
    queryFn: () => millrace.tasks.runs(factory, uid, { limit: MAX_ROWS }).toArray(),
  });

/** What was said in all runs of a task, in order. */
export const taskConversationQuery = (factory: string, uid: string) =>
  queryOptions({
    queryKey: ["tasks", factory, "one", uid, "conversation"],
    queryFn: () => millrace.tasks.conversation(factory, uid, { limit: MAX_ROWS }).toArray(),
  });
