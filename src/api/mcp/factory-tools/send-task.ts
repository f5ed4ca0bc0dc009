import { MillraceError } from "../../../errors/error.ts";
import type { AnswerOf } from "../../http/endpoint.ts";
import { forOperators, type ToolAnswer, type ToolContext, tool } from "../tool.ts";
import { startAgent, startRefusal } from "../tools/start-agent.ts";
import { parentOf, sendToForeman } from "./message-foreman.ts";
import { factoryIn, factoryInput, NAMED } from "./named-factory.ts";
import { findTask, type NamedTask, taskInput } from "./named-task.ts";

interface Given extends Omit<NamedTask, "run_id"> {
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
export const sendTask = tool<Given>({
  name: "send_task",
  title: "Send a task",
  description:
    "Hands work over. With factory_task_uid, to the foreman of that task, as a follow-up. Without it, an API key creates a task for the foreman of a factory, and an agent starts a run of another agent. Push your branch first.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["note"],
    properties: {
      note: {
        type: "string",
        minLength: 1,
        description: "What to do, with all that the receiver has to know: it does not see your conversation.",
      },
      factory_uid: factoryInput,
      factory_task_uid: {
        ...taskInput,
        description:
          "The task to hand the work back to, by UID, URL or source:id. Leave it out for new work.",
      },
      title: { type: "string", minLength: 1, maxLength: 500, description: "A short title of new work." },
      agent: {
        type: "string",
        minLength: 1,
        description: "For agents: the agent that receives new work; the foreman if it is left out.",
      },
      ticket_ref: { type: "string", description: "The ticket of new work as source:id." },
      ticket_url: { type: "string", description: "The URL of the ticket." },
      branch: { type: "string", description: "The pushed branch that contains the work." },
      pr_url: { type: "string", description: "The pull request that contains the work." },
      stage_hint: { type: "string", description: "The stage that you suggest; the foreman decides." },
    },
  },
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

async function handBack(given: Given, context: ToolContext): Promise<ToolAnswer> {
  const { uid } = await findTask(given, context);
  const { text, data } = await sendToForeman(
    { factory_task_uid: uid, ...factoryOf(given) },
    taskText(given),
    context,
  );
  return { text, data: { mode: "handback", factory_task_uid: uid, ...data } };
}

const factoryOf = ({ factory_uid }: Given) => (factory_uid === undefined ? {} : { factory_uid });

async function dispatch(given: Given, context: ToolContext): Promise<ToolAnswer> {
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
async function start(given: Given, context: ToolContext): Promise<ToolAnswer> {
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
async function refuseOtherFactory({ factory_uid: uid }: Given, { call }: ToolContext): Promise<void> {
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
function taskText({ note, ticket_ref, ticket_url, branch, pr_url, stage_hint }: Given): string {
  const facts: [name: string, value: string | undefined][] = [
    ["Ticket", [ticket_ref, ticket_url].filter(Boolean).join(" ")],
    ["Branch", branch],
    ["Pull request", pr_url],
    ["Suggested stage", stage_hint],
  ];
  const lines = facts.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`);
  return [note, ...(lines.length > 0 ? [lines.join("\n")] : [])].join("\n\n");
}
