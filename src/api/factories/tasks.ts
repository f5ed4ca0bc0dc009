import type { Models } from "../../client/typed-paths.ts";
import { recordTag } from "../../concurrency/record-tag.ts";
import { MillraceError } from "../../errors/error.ts";
import { isUid, isUuid, newUid } from "../../id.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { type Caller, visibleTo } from "../../runs/caller.ts";
import { type Artifact, artifactText } from "../../runs/rules/artifact.ts";
import { promptMessage, runMessage } from "../../runs/rules/conversation.ts";
import { FIRST_STAGE } from "../../runs/rules/run-task.ts";
import { MAX_MOVES_OF_RUN } from "../../runs/rules/stage.ts";
import type {
  CurrentRun,
  Task,
  TaskEditor,
  TaskFilter,
  TaskPosition,
  TaskStore,
} from "../../runs/tasks/task.ts";
import { instantIn } from "../../time/instant.ts";
import {
  type ApiRequest,
  type Called,
  changedMeanwhile,
  type Endpoints,
  expectedTags,
  keyOf,
  type QueryOf,
  withoutUndefined,
} from "../http/endpoint.ts";
import { cutPage } from "../http/page.ts";
import { artifactView } from "../runs/artifacts.ts";
import { maskOfCaller, type RunDeps } from "../runs/find-run.ts";
import { tellEnd } from "../runs/run-actions.ts";
import { belongingsOf, creatorInfo, runItem } from "../runs/run-item.ts";
import { findFactory, noSuchFactory } from "./factories.ts";

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

/** What the endpoints of tasks stand on. */
export interface TaskDeps extends RunDeps {
  tasks: TaskStore;
}

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

/** What is shown of a task beside itself. */
export interface TaskBelongings {
  current?: CurrentRun | undefined;
  blocked?: CurrentRun | undefined;
  outputs?: readonly Artifact[] | undefined;
  /** A list of tasks leaves tickets out, unless it is asked for them. */
  hasTicket: boolean;
}

/** A task in the shape of the public API. */
function taskView(task: Task, { current, blocked, outputs, hasTicket }: TaskBelongings): Models["Task"] {
  return {
    uid: task.uid,
    factory_uid: task.factoryUid,
    conversation_id: task.conversationId,
    run_id: task.conversationId,
    title: task.title,
    ...(task.description === null ? {} : { description: task.description }),
    stage: task.stage,
    stage_changed_at: task.stageAt,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    author: creatorInfo(task.author),
    ...(hasTicket ? ticketView(task) : {}),
    ...(current ? { current_run: currentRunView(current) } : {}),
    ...(blocked ? { blocked_run: currentRunView(blocked) } : {}),
    ...(outputs ? { outputs: outputs.map(artifactView) } : {}),
  };
}

function ticketView({ ticket }: Task) {
  if (!ticket) return {};
  const { id, source, url } = ticket;
  return { ticket_id: id, ticket_source: source, ...(url === null ? {} : { ticket_url: url }) };
}

function currentRunView({ runId, state, agent }: CurrentRun) {
  return { run_id: runId, state, is_run_type_cancellable: true, agent };
}

/** A request about the tasks of a factory. */
interface TasksRequest extends Called {
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
function findTaskFactory({ caller, path }: TasksRequest, { factories }: { factories: Factories }): Factory {
  if (caller.kind === "key") return findFactory({ caller, path }, factories);
  const found = factories.find(path.uid);
  if (found && found.record.uid === caller.run.factoryUid) return found;
  throw noSuchFactory(path.uid);
}

/** The task that the path names. @throws MillraceError `resource_not_found`, also for one that the caller may not see */
async function findTask(
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
function seesTask({ caller }: Called, { uid }: Pick<Task, "uid">): boolean {
  return caller.kind === "key" || caller.run.taskUid === uid;
}

/** Who calls finds here which tasks there are for them. */
const ACCESSIBLE_TASKS: Record<Caller["kind"], string> = {
  key: "`millrace tasks list` shows the tasks of a factory.",
  run: "An agent can read and change only the task that its own run belongs to, which is the `task_uid` of the run.",
};

function noSuchTask(uid: string, { kind }: Pick<Caller, "kind">): MillraceError {
  return new MillraceError("resource_not_found", `The factory has no task ${JSON.stringify(uid)}.`, {
    remedy: ACCESSIBLE_TASKS[kind],
  });
}

/** `GET /factory/{uid}/tasks`: short, unless more is asked for, which is read for the page at once. */
async function listTasks(request: ApiRequest<"listTasks">, deps: TaskDeps) {
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
async function listTaskRuns(request: ApiRequest<"listTaskRuns">, deps: TaskDeps) {
  const task = await findTask(request, deps);
  const { limit, cursor } = request.query;
  const scope = { taskRuns: task.uid };
  const [after] = cursor ? deps.cursors.decode(scope, cursor, 1) : [];
  const found = await deps.tasks.listRuns(task.uid, {
    ...(after === undefined ? {} : { after }),
    limit: limit + 1,
  });
  const { items, pageInfo } = cutPage(found, limit, (last) => deps.cursors.encode(scope, [last.id]));
  const belongings = await belongingsOf(items, deps, visibleTo(request.caller));
  return {
    json: {
      runs: items.map((run) => runItem(run, belongings(run), deps, request.caller)),
      page_info: pageInfo,
    },
  };
}

const MAX_LINKS = 100;

/** `GET /factory/{uid}/tasks/{taskUid}/conversation`: what was said in all runs of a task, and what it has led to. */
async function getTaskConversation(request: ApiRequest<"getTaskConversation">, deps: TaskDeps) {
  const { tasks, cursors } = deps;
  const task = await findTask(request, deps);
  const { limit, cursor } = request.query;
  const scope = { taskConversation: task.uid };
  const [after] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const [stored, outputs] = await Promise.all([
    tasks.listMessages(task.uid, { ...(after === undefined ? {} : { after }), limit: limit + 1 }),
    tasks.listOutputs(task.uid, MAX_LINKS),
  ]);
  const found = stored.messages.map(({ run, message }) => ({
    run_id: run.id,
    agent: run.executor.displayName,
    message: message === null ? promptMessage(run) : runMessage(message, run),
  }));
  const { items, pageInfo } = cutPage(found, stored.isCut ? found.length - 1 : limit, ({ message }) =>
    cursors.encode(scope, [message.id]),
  );
  return {
    json: { task_uid: task.uid, messages: items, links: linksOf(task, outputs), page_info: pageInfo },
  };
}

const LINK_TYPES = { PULL_REQUEST: "pull_request", PLAN: "plan", EXTERNAL_REFERENCE: "reference" } as const;

function linksOf({ ticket }: Task, outputs: readonly Artifact[]): Models["TaskLink"][] {
  const links = outputs.flatMap(({ id, type, data, createdAt }): Models["TaskLink"][] => {
    if (type === "FILE") return [];
    const link = {
      type: LINK_TYPES[type],
      title: data.title ?? data.url ?? (artifactText(data) || type),
      created_at: createdAt,
    };
    return [{ ...link, artifact_uid: id, ...(data.url === undefined ? {} : { url: data.url }) }];
  });
  if (!ticket?.url) return links;
  return [{ type: "ticket", title: `${ticket.source}:${ticket.id}`, url: ticket.url }, ...links];
}
