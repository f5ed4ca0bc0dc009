import { mayStart } from "../../../definitions/start-grant.ts";
import { MillraceError } from "../../../errors/error.ts";
import type { Caller } from "../../../runs/caller.ts";
import { startKey } from "../../../runs/rules/start-key.ts";
import { hasEnded } from "../../../runs/rules/state.ts";
import { childTexts } from "../../../runs/rules/wait.ts";
import type { AnswerOf, BodyOf } from "../../http/endpoint.ts";
import { record } from "../../models/shapes.ts";
import { forOperators, type ToolAnswer, type ToolContext, tool } from "../tool.ts";
import { ownRun, ownTurn } from "./report-tools.ts";

interface StartAgentInput {
  agent: string;
  prompt: string;
  title?: string;
  key?: string;
  ref?: string;
  repository?: string;
  files?: { name: string; text: string }[];
  artifacts?: string[];
  factory?: string;
}

/** Why the run of a token may start no agent; nothing where it may. */
export function startRefusal(caller: Caller): string | undefined {
  if (caller.kind === "key") return forOperators(caller);
  if (mayStart(caller.run.execution.starts)) return undefined;
  return "This run may not start other agents: its definition grants none (millrace.mayStart), or no further generation.";
}

/** A turn that is repeated, or resumed after a crash, does not start the same work twice. */
export const startAgent = tool<StartAgentInput>({
  name: "start_agent",
  title: "Start another agent",
  description:
    "Starts a run of another agent, which works by itself and knows only the prompt. Then call wait_for with its run_id. From a run, the same agent, prompt and ref start one run, however often you call; if the title or files differ, nothing is started. With an API key, each call without key starts a run.",
  input: record({
    agent: { type: "string", minLength: 1, description: "The agent's name, as list_agents shows it." },
    prompt: {
      type: "string",
      minLength: 1,
      description: "The task with all that the agent has to know: it does not see your conversation.",
    },
    "title?": { type: "string", minLength: 1, maxLength: 500, description: "A short title for people." },
    "key?": {
      type: "string",
      maxLength: 100,
      description: "A text of your choice. The same agent, prompt and ref start one run for each key.",
    },
    "ref?": {
      type: "string",
      minLength: 1,
      description: "The branch, tag or commit at which the agent finds its repository.",
    },
    "repository?": {
      type: "string",
      minLength: 1,
      description: "The repository of ref as owner/name, if the agent has several.",
    },
    "files?": {
      type: "array",
      maxItems: 5,
      description: "Text files that the agent finds in its workspace.",
      items: record({
        name: { type: "string", minLength: 1, description: "A file name without a path." },
        text: { type: "string" },
      }),
    },
    "artifacts?": {
      type: "array",
      maxItems: 5,
      items: { type: "string", minLength: 1 },
      description: "Paths of file artifacts of your own run that the agent finds in its workspace.",
    },
    "factory?": { type: "string", description: "With an API key: the factory of the agent." },
  }),
  refusal: startRefusal,
  async call({ key, ...given }, { caller, call }) {
    const body = bodyOf(given);
    const { agent, prompt } = given;
    const headers =
      caller.kind === "run" || key !== undefined
        ? { "idempotency-key": startKey({ agent, prompt, checkout: body.checkout, key }) }
        : undefined;
    const started = await call("createRun", { body, ...(headers ? { headers } : {}) });
    const next = caller.kind === "run" ? " Call wait_for when you need its result." : "";
    return {
      text: `Started run ${started.run_id} of ${agent} (${started.state}).${next}`,
      data: started,
    };
  },
});

/** @throws MillraceError `invalid_request` for a repository without a place in it */
function bodyOf({ ref, repository, files, ...body }: Omit<StartAgentInput, "key">): BodyOf<"createRun"> {
  if (ref === undefined && repository !== undefined) {
    throw new MillraceError("invalid_request", "repository: it is only valid with ref.", {
      remedy: "Name the branch, tag or commit with ref, or leave repository out.",
    });
  }
  return {
    ...body,
    ...(ref === undefined ? {} : { checkout: { ref, ...(repository === undefined ? {} : { repository }) } }),
    ...(files ? { attachments: files.map(attachmentOf) } : {}),
  };
}

const attachmentOf = ({ name, text }: { name: string; text: string }) => ({
  file_name: name,
  mime_type: "text/plain",
  data: Buffer.from(text).toString("base64"),
});

const MAX_RUNS = 50;
const MAX_AGENTS = 500;

/** Whom a run may start, and whom it has started. */
export const listAgents = tool<Record<never, never>>({
  name: "list_agents",
  title: "List agents and runs",
  description:
    "Lists the agents that you may start and what each does, and the runs that descend from yours with their states.",
  input: record({}),
  onlyReads: true,
  refusal: (caller) => (caller.kind === "key" ? undefined : startRefusal(caller)),
  call: (_, context) => (context.caller.kind === "run" ? ofRun(context) : ofKey(context)),
});

async function ofRun({ caller, call }: ToolContext): Promise<ToolAnswer> {
  const runId = ownRun(caller);
  const [{ agents }, { runs }] = await Promise.all([
    call("listRunAgents", { path: { runId } }),
    call("listRuns", { query: { ancestor_run_id: runId, limit: MAX_RUNS } }),
  ]);
  const agentLines = agents.map(({ name, type, description, may_start }) => {
    return `- ${name} (${type})${may_start ? "" : ", cannot be started now"}: ${description || "no description"}`;
  });
  const runLines = runs.map(({ run_id, executor, title, state }) => {
    return `- ${run_id} ${executor?.display_name ?? ""} ${state}: ${title}`;
  });
  return { text: ["Agents:", ...agentLines, "", "Runs:", ...orNone(runLines)].join("\n") };
}

/** The agents that an API key has access to, those of definitions and those that were created through the API. */
async function ofKey({ call }: ToolContext): Promise<ToolAnswer> {
  const { agents } = await call("listIdentities", { query: { limit: MAX_AGENTS } });
  const lines = agents.map(({ name, agent_type, description }) => {
    return `- ${name}${agent_type ? ` (${agent_type})` : ""}: ${description || "no description"}`;
  });
  return { text: ["Agents:", ...orNone(lines)].join("\n") };
}

const orNone = (lines: string[]) => (lines.length > 0 ? lines : ["- none"]);

/** Ends a run before its time. */
export const cancelAgent = tool<{ run_id: string; tree?: boolean }>({
  name: "cancel_agent",
  title: "Cancel a run",
  description: "Cancels a run that you have started and whose result is no longer needed.",
  input: record({
    run_id: { type: "string", description: "The id of the run." },
    "tree?": { type: "boolean", description: "Whether to end all runs that it has started, too." },
  }),
  refusal(caller) {
    if (caller.kind === "key") return forOperators(caller);
    if (caller.run.execution.starts) return undefined;
    return "This run may not start runs, so it has none to cancel.";
  },
  async call({ run_id, tree = false }, { call }) {
    await call("cancelRun", { path: { runId: run_id }, ...(tree ? { query: { tree } } : {}) });
    return { text: `Run ${run_id} is being cancelled.` };
  },
});

/** Says something to a run that is at work, or begins its next turn. */
export const messageAgent = tool<{ run_id: string; message: string }>({
  name: "message_agent",
  title: "Message a run",
  description:
    'Sends a message to a run that you have started, or to the one that has started you (run_id "parent"). A run that has ended goes on with a further turn.',
  input: record({
    run_id: { type: "string", description: 'The id of the run, or "parent".' },
    message: { type: "string", minLength: 1 },
  }),
  refusal(caller) {
    if (caller.kind === "key") return forOperators(caller);
    if (caller.run.ancestors.length > 0 || caller.run.execution.starts) return undefined;
    return "This run has no parent and may not start runs, so there is no run that it can write to.";
  },
  async call({ run_id, message }, { caller, call }) {
    const runId = run_id === "parent" ? parentOf(caller) : run_id;
    const sent = await call("followUp", { path: { runId }, body: { message } });
    return { text: `The message was sent to run ${runId} (${sent.outcome}).` };
  },
});

function parentOf(caller: Caller): string {
  const parent = caller.kind === "run" ? caller.run.ancestors.at(-1) : undefined;
  if (parent !== undefined) return parent;
  throw new MillraceError("invalid_request", "run_id: there is no parent run.", {
    remedy: "Give the id of a run.",
  });
}

interface WaitForInput {
  run_ids?: string[];
  mode?: "all" | "any";
  timeout_seconds?: number;
}

type Waited = AnswerOf<"waitForRuns">;

/** How long a call is held until a worker has started one of the runs. Until then, this run may have the place that they need. */
const FIRST_HOLD_SECONDS = 5;
/** Programs stop waiting for a tool after a minute, and some have no setting for that. */
const HOLD_SECONDS = 45;
const DAY_SECONDS = 24 * 60 * 60;

/** Holds the call while agents work on the runs. Longer waits go on without a process, and begin the next turn of the run. */
export const waitFor = tool<WaitForInput>({
  name: "wait_for",
  title: "Wait for runs",
  description:
    "Waits for runs that you have started and returns their answers and artifacts. If they take long, it tells you to end your turn: their results begin your next one.",
  input: record({
    "run_ids?": {
      type: "array",
      minItems: 1,
      maxItems: 50,
      items: { type: "string" },
      description:
        "The runs to wait for. Leave it out for all that you have started and that have not ended.",
    },
    "mode?": {
      type: "string",
      enum: ["all", "any"],
      description: "Whether all must end (default) or any one.",
    },
    "timeout_seconds?": { type: "integer", minimum: 1, maximum: 604_800, description: "86400 by default." },
  }),
  holds: true,
  refusal(caller) {
    if (caller.kind === "key") return "It is for agents: with an API key, GET the run with ?wait=60s.";
    return startRefusal(caller);
  },
  call: hold,
  // The same wait again: it replaces the one before.
  resume: hold,
});

async function hold(
  { run_ids, mode = "all", timeout_seconds = DAY_SECONDS }: WaitForInput,
  context: ToolContext,
): Promise<ToolAnswer> {
  const limit = performance.now() + timeout_seconds * 1_000;
  const holdLimit = performance.now() + longestHoldMs(context);
  let hasGone = false;
  void context.sent.then(() => {
    hasGone = true;
  });
  const wait = (ids: string[] | undefined, hold_seconds: number): Promise<Waited> => {
    const left = Math.max(1, Math.ceil((limit - performance.now()) / 1_000));
    const body = { ...(ids ? { run_ids: ids } : {}), mode, timeout_seconds: left, hold_seconds };
    return context.call("waitForRuns", { path: { runId: ownRun(context.caller) }, body });
  };
  let waited = await wait(run_ids, FIRST_HOLD_SECONDS);
  while (!hasGone && waited.state === "waiting" && someAreAtWork(waited) && performance.now() < holdLimit) {
    // The same runs again, so that the wait replaces the one before.
    const ids = waited.runs.map(({ run_id }) => run_id);
    waited = await wait(ids, HOLD_SECONDS);
  }
  return answerOf(waited);
}

/** An open session gets the results as the result of its call, for as long as it may be idle. */
function longestHoldMs({ caller, questions }: ToolContext): number {
  return questions.holdMs(ownTurn(caller)) ?? HOLD_SECONDS * 1_000;
}

/**
 * Whether an agent works on one of the runs. All others may need the place of this run: to hold the call for them would be a
 * deadlock.
 */
function someAreAtWork({ runs }: Waited): boolean {
  return runs.some(({ state, is_sandbox_running }) => {
    return state === "CLAIMED" || (state === "INPROGRESS" && is_sandbox_running);
  });
}

function answerOf(waited: Waited): ToolAnswer {
  return { text: [headline(waited), ...childTexts(waited.runs)].join("\n\n") };
}

function headline({ state, runs }: Waited): string {
  const open = runs.filter((run) => !hasEnded(run.state)).length;
  if (state === "done" && open === 0) return "The runs have ended.";
  if (state === "done") return "A run has ended. To wait for the others, call wait_for again.";
  if (state === "timed_out") return "The time limit was reached before the runs ended.";
  return "The wait was recorded. End your turn now; the results begin your next turn.";
}
