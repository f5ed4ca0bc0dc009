import { recordTag } from "../../concurrency/record-tag.ts";
import { MillraceError } from "../../errors/error.ts";
import { isUuid, newUid } from "../../id.ts";
import { FIRST_STAGE } from "../../runs/rules/run-task.ts";
import { MAX_MOVES_OF_RUN } from "../../tasks/rules/stage.ts";
import type { Task, TaskEditor } from "../../tasks/task.ts";
import { maskOfCaller } from "../agent/own-run.ts";
import type { ApiRequest, Called, Endpoints } from "../http/endpoint.ts";
import { keyOf } from "../http/endpoint.ts";
import { changedMeanwhile, expectedTags } from "../http/if-match.ts";
import { withoutUndefined } from "../http/without-undefined.ts";
import { tellEnd } from "../runs/tell-end.ts";
import {
  ACCESSIBLE_TASKS,
  findTask,
  findTaskFactory,
  noSuchTask,
  seesTask,
  type TasksRequest,
} from "./find-task.ts";
import { getTaskConversation } from "./task-conversation.ts";
import type { TaskDeps } from "./task-deps.ts";
import { taskItem } from "./task-item.ts";
import { listTaskRuns, listTasks } from "./task-lists.ts";

/** The tasks of factories: what their runs work on (contract, 1.7). */
export function taskEndpoints(deps: TaskDeps) {
  const { tasks, now } = deps;
  return {
    listTasks: { handle: (request) => listTasks(request, deps) },
    createTask: {
      async handle(request) {
        const { principal } = keyOf(request);
        const { record } = findTaskFactory(request, deps);
        const { title, conversation_id, description, stage = FIRST_STAGE } = request.body;
        const conversationId = conversation_id.toLowerCase();
        const created = await tasks.create(
          {
            uid: newUid(),
            factoryUid: record.uid,
            conversationId,
            title,
            description: description || null,
            stage,
          },
          { principal, runId: null },
          now().toISOString(),
        );
        if (created === "no run") throw noConversation(conversation_id);
        if (created === "taken") throw taken(conversationId);
        return answerOf(created, deps);
      },
    },
    getTask: { handle: async (request) => answerOf(await findTask(request, deps), deps) },
    updateTask: { handle: (request) => updateTask(request, deps) },
    deleteTask: {
      async handle(request) {
        keyOf(request);
        const { uid } = await findTask(request, deps);
        const removed = await tasks.remove(uid, expectedTags(request), now().toISOString());
        if (removed === "changed") throw changedMeanwhile();
        if (!removed) throw noSuchTask(uid, request.caller);
        return { status: 204 };
      },
    },
    cancelTask: { handle: (request) => cancelTask(request, deps) },
    listTaskRuns: { handle: (request) => listTaskRuns(request, deps) },
    getTaskConversation: { handle: (request) => getTaskConversation(request, deps) },
    getTaskByRun: {
      async handle(request) {
        const id = request.query.run_id.toLowerCase();
        const run = isUuid(id) ? await deps.runs.find(id) : undefined;
        const task = run?.taskUid ? await tasks.find(run.taskUid) : undefined;
        return found(task, request, deps, `No task of the factory has the run ${JSON.stringify(id)}.`);
      },
    },
    getTaskByConversation: {
      async handle(request) {
        const id = request.query.conversation_id.toLowerCase();
        const task = isUuid(id) ? await tasks.findByConversation(id) : undefined;
        const message = `No task of the factory has the conversation ${JSON.stringify(id)}.`;
        return found(task, request, deps, message);
      },
    },
  } satisfies Endpoints;
}

async function found(task: Task | undefined, request: TasksRequest, deps: TaskDeps, message: string) {
  const { record } = findTaskFactory(request, deps);
  if (task && task.factoryUid === record.uid && seesTask(request, task)) return answerOf(task, deps);
  throw new MillraceError("resource_not_found", message, { remedy: ACCESSIBLE_TASKS[request.caller.kind] });
}

/** An agent changes the task of its own run. */
async function updateTask(request: ApiRequest<"updateTask">, deps: TaskDeps) {
  const { uid } = await findTask(request, deps);
  const { stage, ...texts } = request.body;
  const mask = maskOfCaller(request.caller, deps.masks);
  const title = texts.title === undefined ? undefined : mask(texts.title);
  const description = texts.description ? mask(texts.description) : texts.description;
  const updated = await deps.tasks.update(
    uid,
    withoutUndefined({ title, description: description === "" ? null : description, stage }),
    { ...editorOf(request), ...withoutUndefined({ expected: expectedTags(request) }) },
    deps.now().toISOString(),
  );
  if (updated === "changed") throw changedMeanwhile();
  if (updated === "too many moves") {
    throw new MillraceError(
      "conflict",
      `The run has already moved the task ${MAX_MOVES_OF_RUN} times, which is the limit.`,
      { remedy: "A person can still move the task.", retryable: false, extra: { field: "stage" } },
    );
  }
  if (!updated) throw noSuchTask(uid, request.caller);
  return answerOf(updated, deps);
}

function editorOf({ caller }: Called): TaskEditor {
  if (caller.kind === "key") return { principal: caller.key.principal, runId: null };
  return { principal: caller.run.executor, runId: caller.run.id };
}

async function cancelTask(request: ApiRequest<"cancelTask">, deps: TaskDeps) {
  const { principal } = keyOf(request);
  const { uid } = await findTask(request, deps);
  for (;;) {
    const cancelled = await deps.tasks.cancel(uid, principal, deps.now().toISOString());
    if (!cancelled) throw noSuchTask(uid, request.caller);
    for (const ended of cancelled.runs) tellEnd(ended, deps);
    if (!cancelled.hasMore) return answerOf(cancelled.task, deps);
  }
}

async function answerOf(task: Task, deps: TaskDeps) {
  return { json: await taskItem(task, deps), etag: recordTag(task) };
}

function noConversation(given: string): MillraceError {
  return new MillraceError(
    "invalid_request",
    `conversation_id: the factory has no run with the conversation ${JSON.stringify(given)}.`,
    {
      remedy: "Use the conversation_id of one of the factory's runs, as `millrace runs list` shows them.",
      extra: { field: "conversation_id" },
    },
  );
}

function taken(conversationId: string): MillraceError {
  return new MillraceError(
    "conflict",
    `The run with the conversation ${conversationId} already belongs to a task.`,
    {
      remedy: "Change that task, or delete it first. GET /factory/{uid}/task-by-run finds it.",
      retryable: false,
      extra: { field: "conversation_id" },
    },
  );
}
