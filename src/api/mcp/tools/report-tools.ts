import { setTimeout as sleep } from "node:timers/promises";
import { MillraceError } from "../../../errors/error.ts";
import type { LiveAnswer, LiveQuestion } from "../../../runs/agents/live-questions.ts";
import type { Caller } from "../../../runs/caller.ts";
import type { RunTurn } from "../../../runs/rules/agent-report.ts";
import { BRANCH_REFERENCE, patchName } from "../../../runs/rules/artifact.ts";
import type { BodyOf } from "../../http/endpoint.ts";
import { record } from "../../models/shapes.ts";
import { forRuns, type ToolAnswer, type ToolContext, tool } from "../tool.ts";

interface ReportInput {
  kind: "status" | "link" | "pull_request" | "pr" | "branch" | "plan" | "file" | "patch";
  text?: string;
  url?: string;
  title?: string;
  branch?: string;
  repository?: string;
  commit?: string;
  name?: string;
}

type Artifact = BodyOf<"reportArtifact">;

/** What people see of a run beside its words. */
export const report = tool<ReportInput>({
  name: "report",
  title: "Report a result",
  description:
    "Shows people a result of your run: a status line, a link, a pull request, a pushed branch, a plan, a text file or a patch. Report each as soon as there is one.",
  input: record({
    kind: {
      type: "string",
      enum: ["status", "link", "pull_request", "pr", "branch", "plan", "file", "patch"],
      description:
        "status needs text (at most 200 characters); link and pull_request (or pr) need url; branch needs repository and branch; plan needs title and text; file and patch need name and text.",
    },
    "text?": {
      type: "string",
      description: "The status line, or the content of the plan, the file or the patch.",
    },
    "url?": { type: "string", description: "The http or https URL of the link or the pull request." },
    "title?": { type: "string", description: "The title of the plan or the link." },
    "branch?": { type: "string", description: "The branch, or that of the pull request." },
    "repository?": { type: "string", description: "The repository of the branch, as owner/name." },
    "commit?": { type: "string", description: "The hash of the commit that the branch has." },
    "name?": { type: "string", description: "The path of the file, for example reports/result.md." },
  }),
  refusal: forRuns,
  async call(given, context) {
    switch (given.kind) {
      case "status":
        return reportStatus(needed(given, "text"), context);
      case "file":
        return reportFile(needed(given, "name"), needed(given, "text"), context);
      case "patch":
        return reportFile(patchName(needed(given, "name")), needed(given, "text"), context);
      case "branch":
        return reportArtifact(
          {
            artifact_type: "EXTERNAL_REFERENCE",
            data: {
              reference_type: BRANCH_REFERENCE,
              repository: needed(given, "repository"),
              branch: needed(given, "branch"),
              ...some(given, "commit"),
            },
          },
          context,
        );
      case "plan":
        return reportArtifact(
          { artifact_type: "PLAN", data: { title: needed(given, "title"), content: needed(given, "text") } },
          context,
        );
      case "link":
        return reportArtifact(
          {
            artifact_type: "EXTERNAL_REFERENCE",
            data: { url: needed(given, "url"), ...some(given, "title") },
          },
          context,
        );
      case "pull_request":
      case "pr":
        return reportArtifact(
          {
            artifact_type: "PULL_REQUEST",
            data: { url: needed(given, "url"), ...some(given, "title"), ...some(given, "branch") },
          },
          context,
        );
    }
  },
});

/** @throws MillraceError `invalid_request` that says what the kind needs */
function needed(
  given: ReportInput,
  key: "text" | "url" | "title" | "name" | "repository" | "branch",
): string {
  const value = given[key];
  if (value !== undefined && value !== "") return value;
  throw new MillraceError(
    "invalid_request",
    `missing key "${key}": a report of kind ${given.kind} needs it.`,
    {
      remedy: `Call report again with "${key}".`,
    },
  );
}

function some<Key extends "title" | "branch" | "commit">(
  given: ReportInput,
  key: Key,
): { [K in Key]?: string } {
  return (given[key] === undefined ? {} : { [key]: given[key] }) as { [K in Key]?: string };
}

async function reportStatus(text: string, { caller, call }: ToolContext): Promise<ToolAnswer> {
  await call("reportStatus", { path: { runId: ownRun(caller) }, body: { text } });
  return { text: "The status line was stored." };
}

async function reportFile(name: string, text: string, { caller, call }: ToolContext): Promise<ToolAnswer> {
  const data = Buffer.from(text).toString("base64");
  const artifact = await call("reportArtifactFile", {
    path: { runId: ownRun(caller) },
    body: { name, data },
  });
  return { text: `The file was stored as artifact ${artifact.data.artifact_uid}.`, data: artifact };
}

/** Reports a link, a pull request or a plan. */
export async function reportArtifact(body: Artifact, { caller, call }: ToolContext): Promise<ToolAnswer> {
  const artifact = await call("reportArtifact", { path: { runId: ownRun(caller) }, body });
  return { text: `It was stored as artifact ${artifact.data.artifact_uid}.`, data: artifact };
}

interface AskPersonInput {
  question: string;
  choices?: string[];
  urgency?: "low" | "normal" | "high";
}

/** The run is BLOCKED until somebody answers. */
export const askPerson = tool<AskPersonInput>({
  name: "ask_person",
  title: "Ask a person",
  description:
    "Asks a person a question when you cannot go on without their decision. The answer comes back here or begins your next turn.",
  input: record({
    question: { type: "string", minLength: 1, description: "The question, with what one has to know." },
    "choices?": {
      type: "array",
      minItems: 1,
      maxItems: 10,
      items: { type: "string", minLength: 1, maxLength: 200 },
      description: "Answers to choose from. The person may also answer something else.",
    },
    "urgency?": { type: "string", enum: ["low", "normal", "high"] },
  }),
  holds: true,
  refusal: forRuns,
  async call({ question: message, ...rest }, context) {
    const turn = ownTurn(context.caller);
    // Before the run is blocked: an answer that comes at once finds who has asked.
    const question = context.questions.ask(turn);
    await context
      .call("reportBlocked", { path: { runId: turn.id }, body: { message, ...rest } })
      .catch((error) => {
        question?.withdraw();
        throw error;
      });
    const answer = question && (await answerWithin(question, context));
    return answer === undefined ? recorded() : answered(answer, context);
  },
  async resume(_given, context) {
    const question = await askedAgain(context);
    const answer = question && (await answerWithin(question, context));
    if (answer !== undefined) return answered(answer, context);
    return (await isBlocked(context)) ? recorded() : notOpen();
  },
});

/** Where the server was started again, a worker tells it of the sessions that it has within seconds. */
const SESSION_MS = 30_000;
const LOOK_MS = 250;

/** The question that is open, once the session of its agent is known; nothing when it is not open, or no session lives. */
async function askedAgain(context: ToolContext): Promise<LiveQuestion | undefined> {
  const until = performance.now() + SESSION_MS;
  let hasGone = false;
  void context.sent.then(() => {
    hasGone = true;
  });
  while (!hasGone && performance.now() < until && (await isBlocked(context))) {
    const question = context.questions.ask(ownTurn(context.caller));
    // An answer that came before it was asked again has gone to the session's input.
    if (question && (await isBlocked(context))) return question;
    question?.withdraw();
    await sleep(LOOK_MS);
  }
  return undefined;
}

async function isBlocked(context: ToolContext): Promise<boolean> {
  const { state } = await context.call("getRun", { path: { runId: ownTurn(context.caller).id } });
  return state === "BLOCKED";
}

/** Holds the call until somebody answers, for as long as the session may be idle, and the client is there. */
async function answerWithin(question: LiveQuestion, context: ToolContext): Promise<LiveAnswer | undefined> {
  const timer = setTimeout(question.withdraw, context.questions.holdMs(ownTurn(context.caller)) ?? 0);
  void context.sent.then((isSent) => isSent || question.withdraw());
  return question.answer.finally(() => clearTimeout(timer));
}

function answered({ text, settle }: LiveAnswer, { sent }: ToolContext): ToolAnswer {
  void sent.then(settle);
  return { text: `The person answered:\n\n${text}` };
}

function notOpen(): ToolAnswer {
  return {
    text: "The connection was cut, and the question is not open any more. If it was answered, the answer is the next message that you get. Otherwise, ask again.",
  };
}

function recorded(): ToolAnswer {
  return {
    text: "The question was recorded. End your turn now; the answer begins your next turn.",
  };
}

/** What the run has to say at last, for whoever has asked. */
export const answer = tool<{ text?: string; json?: unknown }>({
  name: "answer",
  title: "Give the final answer",
  description:
    "Sets the final answer of this turn, for the person or the agent that started the run. Call it once, when the work is done, then end your turn. If the run has an output schema, the answer has to fit it; the reply says what is wrong.",
  input: record({
    "text?": { type: "string", minLength: 1, description: "The answer, in Markdown." },
    "json?": { description: "The answer as JSON, in place of text: for runs with an output schema." },
  }),
  refusal: forRuns,
  async call({ text, json }, { caller, call }) {
    const path = { runId: ownRun(caller) };
    const body = { ...(text === undefined ? {} : { text }), ...(json === undefined ? {} : { json }) };
    await call("reportAnswer", { path, body });
    return { text: "The answer was stored. End your turn when nothing is left to do." };
  },
});

/** A page that the runs of a family share. */
export const note = tool<{ text?: string; replace?: boolean }>({
  name: "note",
  title: "Read or write the shared note",
  description:
    "Reads the note that all runs of your family share; with text, adds to its end first. Keep there what the others have to know.",
  input: record({
    "text?": { type: "string", minLength: 1, description: "What to add. Leave it out to read the note." },
    "replace?": { type: "boolean", description: "Whether the text takes the place of the whole note." },
  }),
  refusal: forRuns,
  async call({ text, replace = false }, { caller, call }) {
    const path = { runId: ownRun(caller) };
    const page =
      text === undefined
        ? await call("getNote", { path })
        : await call("putNote", { path, body: { text, append: !replace } });
    return { text: page.text === "" ? "The note is empty." : page.text };
  },
});

/** The argument with which an API key names a run; the token of a run stands for its own. */
export const runIdInput = {
  type: "string",
  description: "The run's id. An agent leaves it out for its own run.",
} as const;

/**
 * The run that a call is about: the one that is named, else that of the token.
 * @throws MillraceError `invalid_request` for an API key that names none
 */
export function runIn({ run_id: named }: { run_id?: string | undefined }, caller: Caller): string {
  if (named !== undefined) return named;
  if (caller.kind === "run") return caller.run.id;
  throw new MillraceError("invalid_request", 'missing key "run_id".', {
    remedy: "Name the run: an API key has none of its own.",
  });
}

/** The run whose token a tool was called with, in the turn of the token. @throws MillraceError `not_authorized` for an API key */
export function ownTurn(caller: Caller): RunTurn {
  if (caller.kind === "run") return caller.run;
  throw new MillraceError("not_authorized", "An API key has no run of its own.", {
    remedy: "Call the tool with the token of a run.",
  });
}

/** The id of the run whose token a tool was called with. @throws MillraceError `not_authorized` for an API key */
export const ownRun = (caller: Caller): string => ownTurn(caller).id;
