import { MillraceError } from "../../../errors/error.ts";
import { isUid, isUuid } from "../../../id.ts";
import type { Caller } from "../../../runs/caller.ts";
import type { AnswerOf } from "../../http/endpoint.ts";
import type { ToolContext } from "../tool.ts";

/** How a call names a task. */
export interface NamedTask {
  factory_task_uid?: string;
  factory_uid?: string;
  run_id?: string;
}

export type Task = AnswerOf<"getTask">;

export const taskInput = {
  type: "string",
  minLength: 1,
  description:
    "The UID of the task, the URL of the task or of one of its runs, or its ticket as source:id. An agent leaves it out for the task of its run.",
} as const;

/** Why a run has no tool that is about its task. */
export function taskRefusal(caller: Caller): string | undefined {
  if (caller.kind === "key" || caller.run.taskUid !== null) return undefined;
  return "This run belongs to no task.";
}

/** A ticket as `source:id`, and no URL. */
const TICKET = /^([^:\s/]{1,64}):(?!\/\/)(\S{1,190})$/;

/**
 * The task that a call is about: the one that is named, else that of the run whose agent calls.
 * @throws MillraceError `invalid_request` for what names no task, `resource_not_found` for one that the caller cannot read
 */
export async function findTask(given: NamedTask, context: ToolContext): Promise<Task> {
  const { factory_task_uid: reference, run_id: runId, factory_uid: factory } = given;
  if (reference !== undefined) return byReference(reference, factory, context);
  if (runId !== undefined) return byRun(runId, factory, context);
  const { caller, call } = context;
  if (caller.kind === "run" && caller.run.taskUid !== null && caller.run.factoryUid !== null)
    return call("getTask", { path: { uid: caller.run.factoryUid, taskUid: caller.run.taskUid } });
  throw new MillraceError("invalid_request", 'missing key "factory_task_uid".', {
    remedy: "list_tasks shows the tasks of a factory.",
  });
}

function byReference(reference: string, factory: string | undefined, context: ToolContext): Promise<Task> {
  const id = idIn(reference, context.publicUrl);
  if (isUid(id)) return byUid(id, factory, context);
  if (isUuid(id.toLowerCase())) return byRun(id, factory, context);
  const [, source, ticket] = TICKET.exec(reference) ?? [];
  if (source !== undefined && ticket !== undefined) return byTicket({ source, id: ticket }, factory, context);
  throw new MillraceError(
    "invalid_request",
    `factory_task_uid: ${JSON.stringify(reference.slice(0, 200))} is not a reference to a task.`,
    {
      remedy:
        "Give the UID of the task, the URL of the task or of one of its runs, or its ticket as source:id. search_task finds tasks by their title.",
    },
  );
}

/** The last part of a URL of this server; what is none is an id by itself. */
function idIn(reference: string, publicUrl: string): string {
  if (!reference.startsWith(`${publicUrl}/`)) return reference;
  return new URL(reference).pathname.split("/").at(-1) ?? "";
}

/** A task is one of a factory: for a key that names none, each that it reaches is asked. */
async function byUid(taskUid: string, factory: string | undefined, context: ToolContext): Promise<Task> {
  const { caller, call } = context;
  const uid = factory ?? (caller.kind === "run" ? caller.run.factoryUid : null);
  if (uid !== null) return call("getTask", { path: { uid, taskUid } });
  if (caller.kind === "run") throw noTask("This run belongs to no task.");
  for (const reached of await reachedFactories(context)) {
    const task = await call("getTask", { path: { uid: reached.uid, taskUid } }).catch(ifMissing);
    if (task) return task;
  }
  throw noTask(`There is no task ${taskUid}.`);
}

async function byRun(
  runId: string,
  factory: string | undefined,
  { call }: Pick<ToolContext, "call">,
): Promise<Task> {
  const { factory_uid: uid, task_uid: taskUid } = await call("getRun", { path: { runId } });
  if (uid !== undefined && taskUid !== undefined)
    return call("getTask", { path: { uid: factory ?? uid, taskUid } });
  throw noTask(`Run ${runId} belongs to no task.`);
}

/**
 * Tasks are found by the metadata of their runs, which agents choose for the runs that they start: what counts is the ticket
 * of the task itself. An agent reads its own task only.
 */
async function byTicket(
  { source, id }: { source: string; id: string },
  factory: string | undefined,
  context: ToolContext,
): Promise<Task> {
  const hasTicket = (task: Task | undefined): task is Task =>
    task?.ticket_source === source && task.ticket_id === id;
  if (context.caller.kind === "run") {
    const own = await findTask({}, context);
    if (hasTicket(own)) return own;
    throw noTask(`The task of this run does not have the ticket ${source}:${id}.`);
  }
  const candidates = await tasksOfRuns({ ticket_source: source, ticket_id: id }, factory, context);
  const [found, another] = candidates.filter(hasTicket);
  if (found && another) throw severalTasks(`${source}:${id}`, candidates.filter(hasTicket));
  if (found) return found;
  throw noTask(`No task has the ticket ${source}:${id}.`);
}

/** The tasks of the newest runs with such metadata, each once, in one factory or in all that the caller can access. */
async function tasksOfRuns(
  metadata: Record<string, string>,
  factory: string | undefined,
  { call }: ToolContext,
): Promise<Task[]> {
  const { runs } = await call("listRuns", { query: { metadata, limit: 100 } });
  const places = new Map(runs.map(({ task_uid: taskUid, factory_uid: uid }) => [taskUid, uid]));
  const tasks: Task[] = [];
  for (const [taskUid, uid] of places) {
    if (taskUid === undefined || uid === undefined) continue;
    const task = await call("getTask", { path: { uid: factory ?? uid, taskUid } }).catch(ifMissing);
    if (task) tasks.push(task);
  }
  return tasks;
}

function severalTasks(ticket: string, tasks: readonly Task[]): MillraceError {
  const listed = tasks.map(({ uid, title }) => `${uid} (${JSON.stringify(title.slice(0, 100))})`);
  return new MillraceError(
    "invalid_request",
    `${tasks.length} tasks have the ticket ${ticket}: ${listed.join(", ")}.`,
    {
      remedy: "Give the UID of one of them, or factory_uid.",
    },
  );
}

function ifMissing(error: unknown): undefined {
  if (error instanceof MillraceError && error.code === "resource_not_found") return undefined;
  throw error;
}

const noTask = (message: string) =>
  new MillraceError("resource_not_found", message, { remedy: "list_tasks shows the tasks of a factory." });

type Factories = AnswerOf<"searchFactories">["factories"];

/** The most that an operation lists in one page, and more than servers have. */
const MAX_FACTORIES = 500;

export const factoryInput = {
  type: "string",
  minLength: 1,
  description: "The UID or name of the factory. An agent leaves it out: it works in one factory.",
} as const;

/** Other names for the factory and the task of a call: those of millrace's own tools. */
export const NAMED = { factory: "factory_uid", task_uid: "factory_task_uid" } as const;

/** Why a run has no tool that is about a factory. */
export function factoryRefusal(caller: Caller): string | undefined {
  if (caller.kind === "key" || caller.run.factoryUid !== null) return undefined;
  return "This run belongs to no factory.";
}

/** The factories that an API key reaches. */
export async function reachedFactories({ call }: Pick<ToolContext, "call">): Promise<Factories> {
  return (await call("searchFactories", { query: { limit: MAX_FACTORIES } })).factories;
}

/**
 * The factory that a call is about: the one that is named, else that of the run, else the only one that the key reaches. The
 * operations refuse a name that the caller cannot reach.
 * @throws MillraceError `invalid_request` that lists the factories
 */
export async function factoryIn(named: string | undefined, context: ToolContext): Promise<string> {
  const own = context.caller.kind === "run" ? context.caller.run.factoryUid : null;
  const uid = named ?? own;
  if (uid !== null) return uid;
  const [only, ...others] = await reachedFactories(context);
  if (only && others.length === 0) return only.uid;
  const names = [only, ...others].flatMap((factory) => (factory ? [`${factory.name} (${factory.uid})`] : []));
  throw new MillraceError("invalid_request", 'missing key "factory_uid".', {
    remedy: names.length === 0 ? "There are no factories yet." : `The factories are ${names.join(", ")}.`,
  });
}

/** A task as the tools return it: that of the API, under the name that the tools take it by, with the links for people. */
export function taskEntry(task: Task, publicUrl: string) {
  return {
    factory_task_uid: task.uid,
    ...task,
    task_url: `${publicUrl}/tasks/${task.uid}`,
    run_url: runUrl(task.run_id, publicUrl),
  };
}

export function runUrl(runId: string, publicUrl: string): string {
  return `${publicUrl}/runs/${runId}`;
}
