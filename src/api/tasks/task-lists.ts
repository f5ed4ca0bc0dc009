import type { TaskFilter, TaskPosition } from "../../tasks/task-query.ts";
import { instantIn } from "../../time/instant.ts";
import type { ApiRequest, QueryOf } from "../http/endpoint.ts";
import { cutPage } from "../http/page.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { belongingsOf } from "../runs/run-belongings.ts";
import { runItem } from "../runs/run-item.ts";
import { findTask, findTaskFactory, seesTask } from "./find-task.ts";
import type { TaskDeps } from "./task-deps.ts";
import { taskView } from "./task-view.ts";

/** `GET /factory/{uid}/tasks`: short, unless more is asked for, which is read for the page at once. */
export async function listTasks(request: ApiRequest<"listTasks">, deps: TaskDeps) {
  const { tasks, runs, cursors } = deps;
  const { record } = findTaskFactory(request, deps);
  const { limit, cursor, ...query } = request.query;
  const scope = { operation: request.operation, factory: record.uid, ...query };
  const [at, uid] = cursor ? cursors.decode(scope, cursor, 2) : [];
  const page = await tasks.list({
    limit,
    sort: query.sort_by,
    descending: query.sort_order === "desc",
    ...(at !== undefined && uid !== undefined ? { after: { at, uid } satisfies TaskPosition } : {}),
    filter: { factoryUid: record.uid, ...filterOf(query) },
  });
  const shown = page.tasks.filter((task) => seesTask(request, task));
  const [{ current, blocked }, artifacts] = await Promise.all([
    tasks.listCurrentRuns(query.include_current_run ? shown.map((task) => task.uid) : []),
    runs.listArtifacts(query.full_list ? shown.map((task) => task.conversationId) : []),
  ]);
  const ofTask = <Item extends { taskUid: string }>(items: readonly Item[]) =>
    new Map(items.map((item) => [item.taskUid, item]));
  const [currentOf, blockedOf] = [ofTask(current), ofTask(blocked)];
  const next_cursor = page.next && cursors.encode(scope, [page.next.at, page.next.uid]);
  return {
    json: {
      tasks: page.tasks.map((task) =>
        taskView(task, {
          current: currentOf.get(task.uid),
          blocked: blockedOf.get(task.uid),
          outputs: query.full_list ? artifacts[task.conversationId]?.toReversed() : undefined,
          hasTicket: query.full_list,
        }),
      ),
      page_info: { has_next_page: next_cursor !== undefined, ...(next_cursor ? { next_cursor } : {}) },
    },
  };
}

function filterOf(query: Partial<QueryOf<"listTasks">>): Partial<TaskFilter> {
  return withoutUndefined({
    stages: query.stage,
    authors: query.created_by,
    text: query.q,
    createdAfter: dateIn(query.created_after),
    createdBefore: dateIn(query.created_before),
    updatedAfter: dateIn(query.updated_after),
  });
}

function dateIn(text: string | undefined): string | undefined {
  const at = instantIn(text);
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** `GET /factory/{uid}/tasks/{taskUid}/runs`. */
export async function listTaskRuns(request: ApiRequest<"listTaskRuns">, deps: TaskDeps) {
  const task = await findTask(request, deps);
  const { limit, cursor } = request.query;
  const scope = { taskRuns: task.uid };
  const [after] = cursor ? deps.cursors.decode(scope, cursor, 1) : [];
  const found = await deps.tasks.listRuns(task.uid, {
    ...(after === undefined ? {} : { after }),
    limit: limit + 1,
  });
  const { items, pageInfo } = cutPage(found, limit, (last) => deps.cursors.encode(scope, [last.id]));
  const belongings = await belongingsOf(items, deps);
  return {
    json: {
      runs: items.map((run) => runItem(run, belongings(run), deps, request.caller)),
      page_info: pageInfo,
    },
  };
}
