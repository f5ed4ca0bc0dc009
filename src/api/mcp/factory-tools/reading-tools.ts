import { MillraceError } from "../../../errors/error.ts";
import type { Caller } from "../../../runs/caller.ts";
import { STAGES, type Stage } from "../../../runs/rules/stage.ts";
import { record } from "../../models/shapes.ts";
import { type ToolContext, tool } from "../tool.ts";
import { sendToForeman } from "./handover-tools.ts";
import {
  factoryIn,
  factoryInput,
  factoryRefusal,
  findTask,
  NAMED,
  type NamedTask,
  reachedFactories,
  runUrl,
  type Task,
  taskEntry,
  taskInput,
  taskRefusal,
} from "./named-task.ts";

interface GetTaskInput extends NamedTask, WorkPlace {
  start_working?: boolean;
  notify_foreman?: boolean;
  note?: string;
}

/** The oldest runs of a task; the current one is part of the task. */
const MAX_RUNS = 200;
const ENDED = ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"];

/** One task with its runs, and how to go on with it on one's own machine. */
export const getTask = tool<GetTaskInput>({
  name: "get_task",
  title: "Get a task",
  description:
    "Returns a task with its stage, ticket, runs and outputs. With start_working, also the runs at work and the git commands to continue it in your clone; it does not pause the factory.",
  input: record({
    "factory_task_uid?": taskInput,
    "run_id?": { type: "string", description: "Instead of the task: any run of it." },
    "start_working?": { type: "boolean", description: "Whether you continue the task on your machine." },
    "workspace_dir?": { type: "string", minLength: 1, description: "The absolute path of your clone." },
    "branch?": {
      type: "string",
      minLength: 1,
      description: "The branch to continue; the newest by default.",
    },
    "notify_foreman?": { type: "boolean", description: "Whether to tell the foreman. Needs start_working." },
    "note?": { type: "string", minLength: 1, description: "What to add to that message." },
  }),
  synonyms: { task_uid: NAMED.task_uid, reference: "factory_task_uid" },
  refusal: taskRefusal,
  async call({ start_working = false, notify_foreman = false, note, ...given }, context) {
    if (notify_foreman && !start_working) throw needsStart();
    const task = await findTask(given, context);
    const runs = await runsOf(task, context);
    const shown = {
      text: textOf(task, runs, context),
      data: { ...taskEntry(task, context.publicUrl), runs },
    };
    if (!start_working) return shown;
    const work = localWork(task, given);
    const active_runs = runs.filter(({ state }) => !ENDED.includes(state));
    const message = [work.announcement, note].filter(Boolean).join("\n\n");
    const notified = notify_foreman ? await notify(task, message, context) : {};
    return {
      text: [shown.text, `Runs at work: ${active_runs.length}.`, ...work.lines].join("\n"),
      data: { ...shown.data, active_runs, next_actions: work.next_actions, ...notified },
    };
  },
});

type TaskRun = Awaited<ReturnType<typeof runsOf>>[number];

/** Many programs give a model the words only, and not the data. */
function textOf(task: Task, runs: readonly TaskRun[], { publicUrl }: ToolContext): string {
  const { outputs = [], description, ticket_url } = task;
  const history = runs.map(({ run_id, agent, state }) => `- run ${run_id} of ${agent}: ${state}`);
  const made = outputs.map(({ artifact_type, data }) => {
    const what = [data.title, data.url ?? data.filepath, data.branch && `(branch ${data.branch})`];
    return `- ${[artifact_type, ...what].filter(Boolean).join(" ")}`;
  });
  return [
    taskLine(task),
    taskEntry(task, publicUrl).task_url,
    ...(ticket_url ? [`Ticket: ${ticket_url}`] : []),
    ...(description ? [description] : []),
    ...(history.length > 0 ? ["Runs:", ...history] : []),
    ...(made.length > 0 ? ["Outputs:", ...made] : []),
  ].join("\n");
}

function needsStart(): MillraceError {
  return new MillraceError("invalid_request", "notify_foreman: it needs start_working.", {
    remedy: "Use message_foreman to send a message.",
  });
}

async function notify({ uid, factory_uid }: Task, message: string, context: ToolContext) {
  const { data } = await sendToForeman({ factory_task_uid: uid, factory_uid }, message, context);
  return { notified_run_id: data.run_id };
}

/** The runs of a task, oldest first. An agent sees which one is the current run, and has list_agents for those that it started. */
async function runsOf(task: Task, { caller, call, publicUrl }: ToolContext) {
  if (caller.kind === "run") {
    const { current_run: run } = task;
    return run
      ? [{ run_id: run.run_id, agent: run.agent, state: run.state, run_url: runUrl(run.run_id, publicUrl) }]
      : [];
  }
  const path = { uid: task.factory_uid, taskUid: task.uid };
  const { runs } = await call("listTaskRuns", { path, query: { limit: MAX_RUNS } });
  return runs.map(({ run_id, executor, state, title, created_at }) => ({
    run_id,
    agent: executor?.display_name ?? "",
    state,
    title,
    created_at,
    run_url: runUrl(run_id, publicUrl),
  }));
}

/** Where somebody continues a task. */
interface WorkPlace {
  workspace_dir?: string;
  branch?: string;
}

/** What follows for somebody who continues a task on their own machine. */
export interface LocalWork {
  /** The commands to run, in their order. */
  next_actions: string[];
  /** The same in words. */
  lines: string[];
  /** What the foreman is told. */
  announcement: string;
}

/** Agents report branches, and people run these commands: whatever a shell or git could take for something else is left out. */
const PLAIN_BRANCH = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/;

const MAX_TITLE = 200;

/** The git commands that set up a worktree for a task. The server runs none of them. */
function localWork(task: Task, { workspace_dir: clone, branch: asked }: WorkPlace): LocalWork {
  const branch = asked ?? reportedBranch(task);
  const isPlain = branch === undefined || PLAIN_BRANCH.test(branch);
  // The title can be that of a stranger's issue, and the foreman takes the message for one of the caller's.
  const title = JSON.stringify(task.title.slice(0, MAX_TITLE));
  const place = branch !== undefined && isPlain ? `, on the branch ${branch}` : "";
  const announcement = `The task ${title} is being continued outside the factory${place}.`;
  if (!isPlain) {
    const lines = ["The branch has characters that are not safe in a command, so no commands are given."];
    return { next_actions: [], lines, announcement };
  }
  const git = clone === undefined ? "git" : `git -C ${quoted(clone)}`;
  const folder = quoted(`${clone === undefined ? ".." : `${clone.replace(/\/+$/, "")}/..`}/task-${task.uid}`);
  const next_actions =
    branch === undefined
      ? [`${git} fetch origin`, `${git} worktree add -b task-${task.uid} ${folder} origin/HEAD`]
      : [`${git} fetch origin ${branch}`, `${git} worktree add ${folder} ${branch}`];
  return { next_actions, lines: ["Run these commands:", ...next_actions], announcement };
}

/** The branch of the newest pull request that names one. */
function reportedBranch({ outputs = [] }: Task): string | undefined {
  return outputs.find(({ artifact_type, data }) => artifact_type === "PULL_REQUEST" && data.branch)?.data
    .branch;
}

/** One word of a shell's command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface ListTasksInput {
  factory_uid?: string;
  stage?: Stage[];
  created_by?: string;
  created_by_me?: boolean;
  created_after?: string;
  created_before?: string;
  updated_after?: string;
  cursor?: string;
  limit?: number;
}

const time = (description: string) => ({
  type: "string",
  description: `${description} Example: 2026-11-01T00:00:00Z`,
});

/** The board of one factory. */
export const listTasks = tool<ListTasksInput>({
  name: "list_tasks",
  title: "List tasks",
  description:
    "Lists the tasks of a factory with their stage, ticket and outputs, those that changed last first. Use get_task for one task.",
  input: record({
    "factory_uid?": factoryInput,
    "stage?": {
      type: "array",
      minItems: 1,
      items: { type: "string", enum: [...STAGES] },
      description: "Only tasks in one of these stages.",
    },
    "created_by?": {
      type: "string",
      minLength: 1,
      description: "Only tasks of this author, by UID or name.",
    },
    "created_by_me?": { type: "boolean", description: "With an API key: only the tasks of its owner." },
    "created_after?": time("Only tasks created at or after this time."),
    "created_before?": time("Only tasks created before this time."),
    "updated_after?": time("Only tasks updated at or after this time."),
    "cursor?": { type: "string", description: "The next_cursor of the previous page." },
    "limit?": { type: "integer", minimum: 1, maximum: 100, description: "20 by default." },
  }),
  synonyms: { factory: NAMED.factory },
  onlyReads: true,
  refusal: factoryRefusal,
  async call({ factory_uid, created_by, created_by_me = false, ...query }, context) {
    const author = created_by_me ? ownerOf(context.caller) : created_by;
    const { tasks, page_info } = await context.call("listTasks", {
      path: { uid: await factoryIn(factory_uid, context) },
      query: {
        ...query,
        ...(author === undefined ? {} : { created_by: [author] }),
        full_list: true,
        include_current_run: true,
      },
    });
    const more =
      page_info.next_cursor === undefined ? [] : [`More: call again with cursor ${page_info.next_cursor}`];
    return {
      text: [taskLines(tasks, "There are no such tasks."), ...more].join("\n"),
      data: { tasks: tasks.map((task) => taskEntry(task, context.publicUrl)), ...page_info },
    };
  },
});

/** @throws MillraceError `invalid_request` for an agent, which creates no tasks */
function ownerOf(caller: Caller): string {
  if (caller.kind === "key") return caller.key.principal.uid;
  throw new MillraceError("invalid_request", "created_by_me: an agent has no tasks of its own.", {
    remedy: "Leave it out, or use created_by.",
  });
}

interface SearchTaskInput {
  query: string;
  factory_uid?: string;
  limit?: number;
}

const DEFAULT_LIMIT = 20;

/** Finds tasks of which somebody knows a part of the title. */
export const searchTask = tool<SearchTaskInput>({
  name: "search_task",
  title: "Search tasks",
  description:
    "Finds tasks by a part of their title, in all factories that you can access, those that changed last first.",
  input: record({
    query: {
      type: "string",
      minLength: 1,
      maxLength: 1_000,
      description: "Part of the title; case-insensitive.",
    },
    "factory_uid?": factoryInput,
    "limit?": { type: "integer", minimum: 1, maximum: 100, description: `${DEFAULT_LIMIT} by default.` },
  }),
  synonyms: { factory: NAMED.factory, q: "query", title: "query" },
  onlyReads: true,
  refusal: factoryRefusal,
  async call({ query: q, factory_uid, limit = DEFAULT_LIMIT }, context) {
    const found: Task[] = [];
    for (const uid of await searched(factory_uid, context)) {
      const query = { q, limit, include_current_run: true };
      found.push(...(await context.call("listTasks", { path: { uid }, query })).tasks);
    }
    const tasks = found.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1)).slice(0, limit);
    return {
      text: taskLines(tasks, "No title of a task contains this text."),
      data: { tasks: tasks.map((task) => taskEntry(task, context.publicUrl)) },
    };
  },
});

/** The factories that are searched: the one that is named, that of the run, or all that the key reaches. */
async function searched(named: string | undefined, context: ToolContext): Promise<string[]> {
  const own = context.caller.kind === "run" ? context.caller.run.factoryUid : null;
  const uid = named ?? own;
  return uid === null ? (await reachedFactories(context)).map((factory) => factory.uid) : [uid];
}

/** Tasks in words, one in a line. */
function taskLines(tasks: readonly Task[], none: string): string {
  return tasks.length === 0 ? none : tasks.map((task) => `- ${taskLine(task)}`).join("\n");
}

/** A task in a line. */
function taskLine(task: Task): string {
  const ticket = task.ticket_source === undefined ? "" : ` (${task.ticket_source}:${task.ticket_id})`;
  const run = task.current_run ? `, ${task.current_run.agent} is ${task.current_run.state}` : "";
  return `${task.uid} ${task.stage}: ${task.title}${ticket}${run}`;
}

/** What an API key can send tasks to. */
export const listFactories = tool<{ search?: string; cursor?: string }>({
  name: "list_factories",
  title: "List factories",
  description:
    "Lists the factories that you can access. Other tools take the uid of a factory as factory_uid.",
  input: record({
    "search?": { type: "string", minLength: 1, description: "Part of a name or an alias." },
    "cursor?": { type: "string", description: "The next_cursor of the previous page." },
  }),
  onlyReads: true,
  refusal(caller) {
    if (caller.kind === "key") return undefined;
    return "A run works in one factory: leave factory_uid out of the other tools.";
  },
  async call(query, { call }) {
    const { factories, page_info } = await call("searchFactories", { query });
    const lines = factories.map(({ uid, name, description }) => {
      return `- ${name} (factory_uid ${uid})${description ? `: ${description}` : ""}`;
    });
    const shown = factories.map((factory) => ({ factory_uid: factory.uid, ...factory }));
    return {
      text: lines.length === 0 ? "There are no factories." : lines.join("\n"),
      data: { factories: shown, ...page_info },
    };
  },
});
