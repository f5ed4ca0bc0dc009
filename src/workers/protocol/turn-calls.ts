import { MillraceError } from "../../errors/error.ts";
import type { UsageSource } from "../../runs/output/usage.ts";
import type { SandboxMode } from "../../runs/turn/isolation.ts";
import { REFUSAL_REASONS } from "../../runs/turn/reaches.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import { formProblem } from "./answers.ts";
import { fromWire } from "./bytes.ts";

const text = { type: "string" };
const amount = { type: "number", minimum: 0 };
const optionalAmount = { type: ["number", "null"], minimum: 0 };
const texts = { type: "array", items: text };
export const bytes = {
  type: "object",
  required: ["$base64"],
  additionalProperties: false,
  properties: { $base64: text },
};
const form = (properties: object, optional: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});
const NONE = form({});

const chunk = form({
  // One that cannot be counted on would leave later turns without numbers.
  seq: { type: "integer", minimum: 1, maximum: 1_000_000_000_000 },
  turn: { type: "integer", minimum: 1 },
  stream: { enum: ["stdout", "stderr", "event", "harness"] },
  at: { type: "string", format: "date-time", maxLength: 40 },
  bytes,
});
const isolation = form({
  sandbox: { enum: ["bwrap", "container", "none"] satisfies SandboxMode[] },
  weaknesses: { type: "array", maxItems: 50, items: { type: "string", maxLength: 2_000 } },
});
export const statusMessage = form({ message: text, error_code: text, retryable: { type: "boolean" } }, [
  "error_code",
  "retryable",
]);
const ending = form(
  {
    state: { enum: ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"] },
    exitCode: { type: ["integer", "null"] },
    statusMessage: { anyOf: [statusMessage, { type: "null" }] },
    answer: text,
    isOutput: { const: true },
    isUnstarted: { const: true },
  },
  ["answer", "isOutput", "isUnstarted"],
);
const usage = form(
  {
    model: { type: "string", maxLength: 300 },
    inputTokens: amount,
    outputTokens: amount,
    cachedTokens: amount,
    costUsd: optionalAmount,
    isEstimate: { type: "boolean" },
  },
  ["isEstimate"],
);
const failedServers = {
  type: "array",
  maxItems: 100,
  items: form({
    name: { type: "string", maxLength: 300 },
    reason: { type: "string", maxLength: 2_000 },
  }),
};
const resources = form({ cpuMs: optionalAmount, peakMemoryBytes: optionalAmount });
const reach = {
  host: { type: "string", maxLength: 300 },
  port: { type: "integer", minimum: 0, maximum: 65_535 },
  requests: { type: "integer", minimum: 0 },
};
/** Of each program of a turn, some hundred are listed. */
const MAX_REACHES = 20_000;
const file = form({
  id: { type: "string", format: "uuid" },
  path: { type: "string", maxLength: 4_096 },
  size: { type: "integer", minimum: 0 },
  sha256: { type: "string", pattern: "^[0-9a-f]{64}$" },
  holdsSecret: { type: "boolean" },
});

/** A call of a turn's door, as it goes over the network: what it takes, and what it does. */
interface TurnCall<Parameters> {
  /** For the reference, a sentence or two. */
  says: string;
  /** The JSON schema of its parameters. */
  parameters: object;
  carryOut(door: TurnDoor, parameters: Parameters): Promise<unknown>;
}

const define = <Parameters>(call: TurnCall<Parameters>): TurnCall<Parameters> => call;
type First<Call extends (...all: never[]) => unknown> = Parameters<Call>[0];

/** Every call that a worker can make, by its name. */
export const TURN_CALLS = {
  hide: define<{ values: string[] }>({
    says: "Says which values must not be shown in what the agent reports until the turn ends.",
    parameters: form({ values: { ...texts, maxItems: 10_000 } }),
    carryOut: (door, { values }) => door.hide(values),
  }),
  start: define<First<TurnDoor["start"]>>({
    says: "Says that the agent is about to start. Answers whether the turn is still the worker's and was not cancelled; otherwise no program may be started.",
    parameters: form(
      {
        sessionId: { type: "string", format: "uuid" },
        tokenHash: { type: "string", pattern: "^[0-9a-f]{64}$" },
        takesInput: { type: "boolean" },
        isolation,
        wasSetUp: { type: "boolean" },
      },
      ["isolation", "wasSetUp"],
    ),
    carryOut: (door, start) => door.start(start),
  }),
  finish: define<{ ending: First<TurnDoor["finish"]> }>({
    says: "Ends the turn.",
    parameters: form({ ending }),
    carryOut: (door, parameters) => door.finish(parameters.ending),
  }),
  listAttachments: define<object>({
    says: "Lists the files that the run is given.",
    parameters: NONE,
    carryOut: (door) => door.listAttachments(),
  }),
  findAttachment: define<{ name: string }>({
    says: "Gets such a file.",
    parameters: form({ name: text }),
    carryOut: (door, { name }) => door.findAttachment(name),
  }),
  findSkills: define<object>({
    says: "Gets the skills of the agent.",
    parameters: NONE,
    carryOut: (door) => door.findSkills(AbortSignal.timeout(SKILLS_MS)),
  }),
  listMessages: define<object>({
    says: "Lists the messages that the turn begins with.",
    parameters: NONE,
    carryOut: (door) => door.listMessages(),
  }),
  findConversation: define<object>({
    says: "Gets what was said in earlier turns, for an agent that starts in a new workspace.",
    parameters: NONE,
    carryOut: (door) => door.findConversation(),
  }),
  append: define<{ chunks: First<TurnDoor["append"]> }>({
    says: "Adds pieces to the transcript. A piece whose number is there already is ignored.",
    parameters: form({ chunks: { type: "array", items: chunk, maxItems: 10_000 } }),
    carryOut: (door, { chunks }) => door.append(chunks),
  }),
  findEventSize: define<object>({
    says: "Gets how much is stored of the events that the program wrote in earlier turns.",
    parameters: NONE,
    carryOut: (door) => door.findEventSize(),
  }),
  keepReport: define<First<TurnDoor["keepReport"]>>({
    says: "Stores the session and the answer that the program has told, and which MCP servers did not start.",
    parameters: form({ session: { type: "string", maxLength: 1_000 }, answer: text, failedServers }, [
      "session",
      "answer",
      "failedServers",
    ]),
    carryOut: (door, report) => door.keepReport(report),
  }),
  keepUsage: define<{ usage: First<TurnDoor["keepUsage"]>; source?: UsageSource }>({
    says: "Stores what models were used for in the turn so far, in place of what was stored before. The source is the program itself (harness, the default), or the proxy that has measured it. The larger of the two counts. Answers with overBudget, a sentence, if the turn has to end because it has used more than its budget.",
    parameters: form(
      {
        usage: { type: "array", items: usage, maxItems: 100 },
        source: { enum: ["harness", "proxy"] },
      },
      ["source"],
    ),
    carryOut: (door, parameters) => door.keepUsage(parameters.usage, parameters.source),
  }),
  keepResources: define<First<TurnDoor["keepResources"]>>({
    says: "Stores the CPU time and the peak memory of the agent, if they were measured.",
    parameters: resources,
    carryOut: (door, parameters) => door.keepResources(parameters),
  }),
  keepReaches: define<First<TurnDoor["keepReaches"]>>({
    says: "Stores which hosts the programs of the turn have reached so far, and which they were refused.",
    parameters: form({
      reached: { type: "array", items: form(reach), maxItems: MAX_REACHES },
      refused: {
        type: "array",
        items: form({ ...reach, reason: { enum: REFUSAL_REASONS } }),
        maxItems: MAX_REACHES,
      },
    }),
    carryOut: (door, reaches) => door.keepReaches(reaches),
  }),
  listUsage: define<object>({
    says: "Lists what models were used for in the run.",
    parameters: NONE,
    carryOut: (door) => door.listUsage(),
  }),
  addFile: define<{ file: First<TurnDoor["addFile"]> }>({
    says: "Lists a file that the agent has left, and whose bytes have been sent. Answers why it is not listed: `too many`, `too large` or `unfit path`.",
    parameters: form({ file }),
    carryOut: (door, parameters) => door.addFile(parameters.file),
  }),
  listArtifacts: define<object>({
    says: "Lists what the run has made.",
    parameters: NONE,
    carryOut: (door) => door.listArtifacts(),
  }),
  proposePlan: define<First<TurnDoor["proposePlan"]>>({
    says: "Asks a person to approve the plan that the agent has left.",
    parameters: form({ file: text, output: text }, ["file", "output"]),
    carryOut: (door, plan) => door.proposePlan(plan),
  }),
  "session.open": define<{ idleMs?: number }>({
    says: "Says that the session takes messages, and how long it waits for one.",
    parameters: form({ idleMs: amount }, ["idleMs"]),
    carryOut: ({ session }, { idleMs }) => session.open(idleMs),
  }),
  "session.close": define<object>({
    says: "Says that it takes no more messages.",
    parameters: NONE,
    carryOut: ({ session }) => session.close(),
  }),
  "session.listUngiven": define<object>({
    says: "Lists messages that no agent has been given.",
    parameters: NONE,
    carryOut: ({ session }) => session.listUngiven(),
  }),
  "session.offer": define<{ id: string }>({
    says: "Says that the agent may be given a message from now on.",
    parameters: form({ id: text }),
    carryOut: ({ session }, { id }) => session.offer(id),
  }),
  "session.give": define<{ ids: string[] }>({
    says: "Says that messages were written to the session.",
    parameters: form({ ids: { ...texts, maxItems: 1_000 } }),
    carryOut: ({ session }, { ids }) => session.give(ids),
  }),
  "session.confirm": define<{ id: string }>({
    says: "Says that the agent has written something after a message.",
    parameters: form({ id: text }),
    carryOut: ({ session }, { id }) => session.confirm(id),
  }),
  "session.keepRest": define<object>({
    says: "Says that the agent has nothing to do until there is a message.",
    parameters: NONE,
    carryOut: ({ session }) => session.keepRest(),
  }),
  "session.findIsWaiting": define<object>({
    says: "Answers whether the run waits for other runs.",
    parameters: NONE,
    carryOut: ({ session }) => session.findIsWaiting(),
  }),
  "session.reply": define<{ id: string; text: string }>({
    says: "Gives the open question of the session its answer, which is a message. Answers whether it has gone out.",
    parameters: form({ id: text, text }),
    carryOut: ({ session }, parameters) => session.reply(parameters.id, parameters.text),
  }),
};

/**
 * Makes the call of a worker, once its parameters have the form that the call takes.
 * @throws MillraceError `invalid_request` for a call or parameters that nobody makes
 */
export async function carryOutCall(door: TurnDoor, name: string, parameters: unknown = {}): Promise<unknown> {
  if (!Object.hasOwn(TURN_CALLS, name)) throw refused(`it has no call ${JSON.stringify(name)}`);
  const call: TurnCall<never> = TURN_CALLS[name as TurnCallName];
  const problem = formProblem(call.parameters, parameters);
  if (problem !== undefined) throw refused(`the parameters of ${name}: ${problem}`);
  return call.carryOut(door, fromWire(parameters) as never);
}

function refused(why: string): MillraceError {
  return new MillraceError("invalid_request", `The request of the worker is not valid: ${why}.`);
}

/** Skills can lie in repositories that are fetched first. */
const SKILLS_MS = 60_000;

export type TurnCallName = keyof typeof TURN_CALLS;
