import { MillraceError } from "../../../errors/error.ts";
import type { Caller } from "../../../runs/caller.ts";
import type { AnswerOf } from "../../http/endpoint.ts";
import { record } from "../../models/shapes.ts";
import { forOperators, forRuns, type ToolAnswer, type ToolContext, tool } from "../tool.ts";
import { ownRun, reportArtifact } from "../tools/report-tools.ts";
import { startAgent, startRefusal } from "../tools/run-tools.ts";
import {
  factoryIn,
  factoryInput,
  findTask,
  NAMED,
  type NamedTask,
  runUrl,
  taskEntry,
  taskInput,
  taskRefusal,
} from "./named-task.ts";

interface SendTaskInput extends Omit<NamedTask, "run_id"> {
  note: string;
  title?: string;
  agent?: string;
  ticket_ref?: string;
  ticket_url?: string;
  branch?: string;
  pr_url?: string;
  stage_hint?: string;
}

/** The one way in which work is handed over: new, or back to the task that it belongs to. */
export const sendTask = tool<SendTaskInput>({
  name: "send_task",
  title: "Send a task",
  description:
    "Hands work over. With factory_task_uid, to the foreman of that task, as a follow-up. Without it, an API key creates a task for the foreman of a factory, and an agent starts a run of another agent. Push your branch first.",
  input: record({
    note: {
      type: "string",
      minLength: 1,
      description: "What to do, with all that the receiver has to know: it does not see your conversation.",
    },
    "factory_uid?": factoryInput,
    "factory_task_uid?": {
      ...taskInput,
      description: "The task to hand the work back to, by UID, URL or source:id. Leave it out for new work.",
    },
    "title?": { type: "string", minLength: 1, maxLength: 500, description: "A short title of new work." },
    "agent?": {
      type: "string",
      minLength: 1,
      description: "For agents: the agent that receives new work; the foreman if it is left out.",
    },
    "ticket_ref?": { type: "string", description: "The ticket of new work as source:id." },
    "ticket_url?": { type: "string", description: "The URL of the ticket." },
    "branch?": { type: "string", description: "The pushed branch that contains the work." },
    "pr_url?": { type: "string", description: "The pull request that contains the work." },
    "stage_hint?": { type: "string", description: "The stage that you suggest; the foreman decides." },
  }),
  synonyms: { ...NAMED, description: "note", prompt: "note", message: "note" },
  refusal(caller) {
    if (caller.kind === "key") return forOperators(caller);
    return parentOf(caller) === undefined ? startRefusal(caller) : undefined;
  },
  async call(given, context) {
    if (given.factory_task_uid !== undefined) return handBack(given, context);
    return context.caller.kind === "key" ? dispatch(given, context) : start(given, context);
  },
});

async function handBack(given: SendTaskInput, context: ToolContext): Promise<ToolAnswer> {
  const { uid } = await findTask(given, context);
  const { text, data } = await sendToForeman(
    { factory_task_uid: uid, ...factoryOf(given) },
    taskText(given),
    context,
  );
  return { text, data: { mode: "handback", factory_task_uid: uid, ...data } };
}

const factoryOf = ({ factory_uid }: SendTaskInput) => (factory_uid === undefined ? {} : { factory_uid });

async function dispatch(given: SendTaskInput, context: ToolContext): Promise<ToolAnswer> {
  const { agent, title, ticket_ref, ticket_url } = given;
  if (agent !== undefined) {
    throw new MillraceError("invalid_request", "agent: with an API key, a task is sent to the foreman.", {
      remedy: "Leave agent out, or call start_agent of /api/v1/mcp.",
    });
  }
  const optional = { title, ticket_ref, ticket_url };
  const run = await context.call("dispatchRun", {
    path: { uid: await factoryIn(given.factory_uid, context) },
    body: { prompt: taskText(given), ...present(optional) },
  });
  return {
    text: `Created the task ${run.task_uid} (${run.ticket_ref}). ${run.foreman_agent} works on it in run ${run.run_id}: ${run.run_url}`,
    data: { mode: "new", factory_task_uid: run.task_uid, ...run },
  };
}

function present<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}

/** The run of another agent, as `start_agent` starts it, with the grant of the run whose agent calls. */
async function start(given: SendTaskInput, context: ToolContext): Promise<ToolAnswer> {
  const refusal = startRefusal(context.caller);
  if (refusal !== undefined) {
    throw new MillraceError("not_authorized", "This run may not send new work to other agents.", {
      remedy: `${refusal} To hand your work to the foreman, give factory_task_uid, or use message_foreman.`,
    });
  }
  await refuseOtherFactory(given, context);
  const agent = given.agent ?? (await foremanName(context));
  const asked = { agent, prompt: taskText(given), ...present({ title: given.title }) };
  const { text, data } = await startAgent.call(asked, context);
  return { text, data: { mode: "new", agent, ...data } };
}

/** The operation that starts a run takes no factory from an agent; one that only the agent's own passes is asked instead. */
async function refuseOtherFactory({ factory_uid: uid }: SendTaskInput, { call }: ToolContext): Promise<void> {
  if (uid !== undefined) await call("listTasks", { path: { uid }, query: { limit: 1 } });
}

async function foremanName({ caller, call }: ToolContext): Promise<string> {
  const run = caller.kind === "run" ? caller.run : undefined;
  const { agents } = await call("listRunAgents", { path: { runId: run?.id ?? "" } });
  const others = agents.filter(({ name, may_start }) => may_start && name !== run?.executor.displayName);
  const foreman = others.find(({ type }) => type === "FOREMAN");
  if (foreman) return foreman.name;
  throw missingAgent(others);
}

function missingAgent(agents: AnswerOf<"listRunAgents">["agents"]): MillraceError {
  return new MillraceError("invalid_request", 'missing key "agent".', {
    remedy: `This run may send work to ${agents.map(({ name }) => name).join(", ")}.`,
  });
}

/** A task in words, for the agent that receives it: the note, then where the work is. */
function taskText({ note, ticket_ref, ticket_url, branch, pr_url, stage_hint }: SendTaskInput): string {
  const facts: [name: string, value: string | undefined][] = [
    ["Ticket", [ticket_ref, ticket_url].filter(Boolean).join(" ")],
    ["Branch", branch],
    ["Pull request", pr_url],
    ["Suggested stage", stage_hint],
  ];
  const lines = facts.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`);
  return [note, ...(lines.length > 0 ? [lines.join("\n")] : [])].join("\n\n");
}

/** What the run that works on a task has to know. */
export const messageForeman = tool<NamedTask & { message: string }>({
  name: "message_foreman",
  title: "Message the foreman",
  description:
    "Sends a message to the foreman of a task: a status, a question, or what you have done. An agent writes to the run that started it. It does not move the task.",
  input: record({ "factory_task_uid?": taskInput, message: { type: "string", minLength: 1 } }),
  synonyms: { task_uid: NAMED.task_uid, text: "message", note: "message" },
  refusal(caller) {
    if (caller.kind === "key") return forOperators(caller);
    return parentOf(caller) === undefined ? NO_PARENT : undefined;
  },
  call: ({ message, ...named }, context) => sendToForeman(named, message, context),
});

const NO_PARENT =
  "No run started this run, so it is the first of its task. Use ask_person of the server millrace to ask a person.";

/** Sends a message to the run that a task was created for, or from an agent to the run that has started its own. */
export async function sendToForeman(named: NamedTask, message: string, context: ToolContext) {
  const runId = await foremanRun(named, context);
  const sent = await context.call("followUp", { path: { runId }, body: { message } });
  const reply =
    context.caller.kind === "key" ? "get_conversation shows the reply." : "A reply begins your next turn.";
  return {
    text: `The message was sent to run ${runId} (${sent.outcome}). ${reply}`,
    data: { run_id: runId, run_url: runUrl(runId, context.publicUrl), ...sent },
  };
}

async function foremanRun(named: NamedTask, context: ToolContext): Promise<string> {
  const { caller } = context;
  if (caller.kind === "key") return (await findTask(named, context)).run_id;
  // An agent must not believe that the foreman of another task has its message.
  if (named.factory_task_uid !== undefined) await findTask(named, context);
  const parent = parentOf(caller);
  if (parent !== undefined) return parent;
  throw new MillraceError("not_authorized", NO_PARENT);
}

/** The run that has started the one whose agent calls. */
function parentOf(caller: Caller): string | undefined {
  return caller.kind === "run" ? caller.run.ancestors.at(-1) : undefined;
}

/** The work is done: the task is closed, and only that. */
export const completeTask = tool<NamedTask & { summary?: string }>({
  name: "complete_task",
  title: "Complete a task",
  description:
    "Moves a task to COMPLETE when nothing is left to do. Name the task, or any run of it. Completing it again changes nothing.",
  input: record({
    "run_id?": {
      type: "string",
      description: "Any run of the task, for example your own. An agent can leave it out.",
    },
    "factory_task_uid?": taskInput,
    "summary?": { type: "string", minLength: 1, description: "For agents: the final answer of your run." },
  }),
  synonyms: { task_uid: NAMED.task_uid, answer: "summary", note: "summary" },
  refusal: (caller) => forOperators(caller) ?? taskRefusal(caller),
  async call({ summary, ...named }, context) {
    if (summary !== undefined) await storeAnswer(summary, context);
    return complete(named, context);
  },
});

/** @throws MillraceError `invalid_request` for an API key, which has no run that answers */
async function storeAnswer(text: string, { caller, call }: ToolContext): Promise<void> {
  if (caller.kind === "key") {
    throw new MillraceError("invalid_request", "summary: an API key has no run whose answer it could be.", {
      remedy: "Leave it out. message_foreman sends a message to the foreman.",
    });
  }
  await call("reportAnswer", { path: { runId: ownRun(caller) }, body: { text } });
}

async function complete(named: NamedTask, context: ToolContext): Promise<ToolAnswer> {
  const { factory_uid: uid, uid: taskUid } = await findTask(named, context);
  const task = await context.call("updateTask", { path: { uid, taskUid }, body: { stage: "COMPLETE" } });
  return { text: `The task "${task.title}" is COMPLETE.`, data: taskEntry(task, context.publicUrl) };
}

interface FinishTaskInput {
  summary: string;
  status?: "success" | "failure";
}

/** An agent has done its part. */
export const finishTask = tool<FinishTaskInput>({
  name: "finish_task",
  title: "Finish your work",
  description:
    "Sets the final answer of your run. With status success, the task is moved to COMPLETE if your run is the one that it was created for; otherwise the run that started yours decides. Then end your turn.",
  input: record({
    summary: { type: "string", minLength: 1, description: "What was done, and what was not, in Markdown." },
    "status?": { type: "string", enum: ["success", "failure"], description: "success by default." },
  }),
  synonyms: { answer: "summary", message: "summary", note: "summary" },
  refusal: forRuns,
  async call({ summary, status = "success" }, context) {
    await storeAnswer(summary, context);
    if (status === "failure" || !(await hasTask(context))) {
      const receiver =
        parentOf(context.caller) === undefined ? "" : " The run that started this one gets it.";
      return { text: `The answer was stored.${receiver} No task was moved. End your turn.` };
    }
    const { text, data = {} } = await complete({}, context);
    return { text: `The answer was stored. ${text} End your turn.`, data };
  },
});

/** Whether the task is that of the run itself, and of none above it: one that was made for the run, or for what it repeats. */
async function hasTask(context: ToolContext): Promise<boolean> {
  const { caller } = context;
  if (taskRefusal(caller) !== undefined) return false;
  return parentOf(caller) === undefined || (await findTask({}, context)).run_id === ownRun(caller);
}

interface GetConversationInput extends NamedTask {
  limit?: number;
  before_index?: number;
}

type Message = AnswerOf<"getConversation">["messages"][number];

const DEFAULT_LIMIT = 50;
/** Of a page of the operation. */
const MAX_PAGE = 500;
/** Of the texts in one answer, so that none is cut in the middle. */
const MAX_CHARACTERS = 80 * 1024;

/** What was said in a run: by default the newest, as the tool of the public service has it. */
export const getConversation = tool<GetConversationInput>({
  name: "get_conversation",
  title: "Read a conversation",
  description:
    "Reads the conversation of a task's foreman, or of a run, newest messages by default. An agent reads its own run and the runs that descend from it.",
  input: record({
    "factory_task_uid?": {
      ...taskInput,
      description: "The task whose foreman is meant, by UID, URL or source:id.",
    },
    "run_id?": { type: "string", description: "The run. An agent leaves both out for its own run." },
    "limit?": { type: "integer", minimum: 1, maximum: 200, description: `${DEFAULT_LIMIT} by default.` },
    "before_index?": {
      type: "integer",
      minimum: 0,
      description: "Returns the messages before this index: the next_before_index of the previous call.",
    },
  }),
  synonyms: { task_uid: NAMED.task_uid },
  onlyReads: true,
  async call({ limit = DEFAULT_LIMIT, before_index, ...named }, context) {
    const runId = await runOf(named, context);
    const all = await readAll(runId, context).catch((error) => explainMissing(error, runId, context));
    const end = Math.min(before_index ?? all.length, all.length);
    const start = startOfWindow(all, end, limit);
    const messages = all.slice(start, end).map((message, offset) => ({ index: start + offset, ...message }));
    const page = start > 0 ? { next_before_index: start } : {};
    const older = start > 0 ? [`Older messages: call again with before_index ${start}.`] : [];
    return {
      text: [
        ...older,
        ...messages.map(({ author, kind, text }) => `## ${author.name} (${kind})\n${text}`),
      ].join("\n\n"),
      data: {
        run_id: runId,
        run_url: runUrl(runId, context.publicUrl),
        messages,
        truncated: start > 0,
        has_more_before: start > 0,
        ...page,
      },
    };
  },
});

async function runOf(named: NamedTask, context: ToolContext): Promise<string> {
  if (named.factory_task_uid !== undefined) return (await findTask(named, context)).run_id;
  if (named.run_id !== undefined) return named.run_id;
  if (context.caller.kind === "run") return context.caller.run.id;
  throw new MillraceError("invalid_request", 'missing key "factory_task_uid" or "run_id".', {
    remedy: "list_tasks shows the tasks of a factory.",
  });
}

/** The operation begins with the oldest. What a run can store of messages is bounded. */
async function readAll(runId: string, { call }: ToolContext): Promise<Message[]> {
  const messages: Message[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: MAX_PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await call("getConversation", { path: { runId }, query });
    messages.push(...page.messages);
    cursor = page.page_info.next_cursor;
  } while (cursor !== undefined);
  return messages;
}

/** Where a window that ends before an index begins: as far back as the limits allow, and one message at least. */
function startOfWindow(messages: readonly Message[], end: number, limit: number): number {
  let start = end;
  let characters = 0;
  while (start > 0 && end - start < limit) {
    characters += messages[start - 1]?.text.length ?? 0;
    if (characters > MAX_CHARACTERS && start < end) break;
    start -= 1;
  }
  return start;
}

/** @throws MillraceError that says which conversations an agent can read */
function explainMissing(error: unknown, runId: string, { caller }: ToolContext): never {
  if (caller.kind === "key" || !(error instanceof MillraceError) || error.code !== "resource_not_found")
    throw error;
  throw new MillraceError("resource_not_found", `There is no run ${runId} that this run can read.`, {
    remedy: "An agent reads the conversations of its own run and of runs that descend from it.",
  });
}

interface ReportPrInput {
  url: string;
  branch?: string;
  title?: string;
}

/** A pull request of a run. */
export const reportPr = tool<ReportPrInput>({
  name: "report_pr",
  title: "Report a pull request",
  description: "Shows people a pull request of your run. Call it as soon as the pull request is open.",
  input: record({
    url: { type: "string", description: "The http or https URL of the pull request." },
    "branch?": { type: "string", minLength: 1, description: "Its branch." },
    "title?": { type: "string", minLength: 1 },
  }),
  synonyms: { pr_url: "url", branch_name: "branch" },
  refusal: forRuns,
  call: (data, context) => reportArtifact({ artifact_type: "PULL_REQUEST", data }, context),
});

interface ReportExternalReferenceInput {
  url: string;
  reference_type?: string;
  title?: string;
}

/** A link to what a run has made elsewhere. */
export const reportExternalReference = tool<ReportExternalReferenceInput>({
  name: "report_external_reference",
  title: "Report a link",
  description:
    "Shows people a link to what your run has made elsewhere, such as an issue, a document or a preview.",
  input: record({
    url: { type: "string", description: "An http or https URL." },
    "reference_type?": { type: "string", minLength: 1, description: "For example LINEAR_ISSUE." },
    "title?": { type: "string", minLength: 1 },
  }),
  synonyms: { type: "reference_type" },
  refusal: forRuns,
  call: (data, context) => reportArtifact({ artifact_type: "EXTERNAL_REFERENCE", data }, context),
});
