import { MillraceError } from "../../../errors/error.ts";
import { type ToolContext, tool } from "../tool.ts";
import { localWork, type WorkPlace } from "./local-work.ts";
import { sendToForeman } from "./message-foreman.ts";
import { NAMED } from "./named-factory.ts";
import { findTask, type NamedTask, type Task, taskInput, taskRefusal } from "./named-task.ts";
import { runUrl, taskEntry, taskLine } from "./task-entry.ts";

interface Given extends NamedTask, WorkPlace {
  start_working?: boolean;
  notify_foreman?: boolean;
  note?: string;
}

/** The oldest runs of a task; the current one is part of the task. */
const MAX_RUNS = 200;
const ENDED = ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"];

/** One task with its runs, and how to go on with it on one's own machine. */
export const getTask = tool<Given>({
  name: "get_task",
  title: "Get a task",
  description:
    "Returns a task with its stage, ticket, runs and outputs. With start_working, also the runs at work and the git commands to continue it in your clone; it does not pause the factory.",
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      factory_task_uid: taskInput,
      run_id: { type: "string", description: "Instead of the task: any run of it." },
      start_working: { type: "boolean", description: "Whether you continue the task on your machine." },
      workspace_dir: { type: "string", minLength: 1, description: "The absolute path of your clone." },
      branch: { type: "string", minLength: 1, description: "The branch to continue; the newest by default." },
      notify_foreman: { type: "boolean", description: "Whether to tell the foreman. Needs start_working." },
      note: { type: "string", minLength: 1, description: "What to add to that message." },
    },
  },
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
    ...{ state, title, created_at, run_url: runUrl(run_id, publicUrl) },
  }));
}
