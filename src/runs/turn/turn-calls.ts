import type { ProviderLimit } from "../rules/provider-limit.ts";
import type { SandboxMode } from "./isolation.ts";
import { REFUSAL_REASONS } from "./reaches.ts";
import type { SessionDoor, TurnDoor } from "./turn-door.ts";

/** A method of a turn's door: how it is called wherever its executor is. */
export interface TurnCall {
  /** For the reference of the worker protocol, a sentence or two. */
  says: string;
  /** The JSON schema of its parameters over the network. */
  parameters: object;
  /** The names of its arguments over the network. Without them, its only argument has the parameters as its keys. */
  names?: readonly string[];
  /**
   * An executor beside the store makes it again while the store is away: it belongs to the preparation or to what follows the agent.
   * What is said while the agent is at work is said again by the code that says it.
   */
  waits?: true;
  /** It has texts of an agent, its program or a worker. Characters that no database can store are replaced in them. */
  hasTexts?: true;
  /** Over the network, it need not arrive when the turn is not the executor's any more. */
  isReport?: true;
  /** How long it may take, in milliseconds, for a worker that cannot abort it. */
  withinMs?: number;
}

export type TurnCallName = Exclude<keyof TurnDoor, "session"> | `session.${keyof SessionDoor}`;

const text = { type: "string" };
const amount = { type: "number", minimum: 0 };
const optionalAmount = { type: ["number", "null"], minimum: 0 };
const texts = { type: "array", items: text };
const bytes = {
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
const statusMessage = form({ message: text, error_code: text, retryable: { type: "boolean" } }, [
  "error_code",
  "retryable",
]);
const limit = form(
  {
    kind: { enum: ["limit", "unavailable"] satisfies ProviderLimit["kind"][] },
    until: { type: "string", format: "date-time", maxLength: 40 },
    reason: { type: "string", maxLength: 2_000 },
    seenBy: { enum: ["output", "proxy"] satisfies ProviderLimit["seenBy"][] },
  },
  ["until"],
);
const ending = form(
  {
    state: { enum: ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"] },
    exitCode: { type: ["integer", "null"] },
    statusMessage: { anyOf: [statusMessage, { type: "null" }] },
    answer: text,
    answerJson: text,
    isOutput: { const: true },
    isUnstarted: { const: true },
    limit,
  },
  ["answer", "answerJson", "isOutput", "isUnstarted", "limit"],
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

/** Every call of a door, by its name. A method of the door is described here, and nowhere else. */
export const TURN_CALLS: Readonly<Record<TurnCallName, TurnCall>> = {
  hide: {
    says: "Says which values must not be shown in what the agent reports until the turn ends.",
    parameters: form({ values: { ...texts, maxItems: 10_000 } }),
    names: ["values"],
    waits: true,
  },
  start: {
    says: "Says that the agent is about to start. Answers whether the turn is still the worker's and was not cancelled; otherwise no program may be started.",
    parameters: form(
      {
        sessionId: { type: "string", format: "uuid" },
        tokenHash: { type: "string", pattern: "^[0-9a-f]{64}$" },
        takesInput: { type: "boolean" },
        isolation,
        wasSetUp: { type: "boolean" },
        setup: form(
          {
            restored: { type: "boolean" },
            made_at: { type: "string", maxLength: 40 },
            seconds: { type: "number", minimum: 0 },
            reason: { type: "string", maxLength: 1_000 },
          },
          ["made_at", "seconds", "reason"],
        ),
      },
      ["isolation", "wasSetUp", "setup"],
    ),
    waits: true,
    hasTexts: true,
  },
  finish: {
    says: "Ends the turn. With limit, the provider of the model did not let it go on: the run waits, and another turn continues it. A limit that a worker reports applies only to the factory of the run.",
    parameters: form({ ending }),
    names: ["ending"],
    hasTexts: true,
    isReport: true,
  },
  listAttachments: {
    says: "Lists the files that the run is given.",
    parameters: NONE,
    names: [],
    waits: true,
  },
  findAttachment: {
    says: "Gets such a file.",
    parameters: form({ name: text }),
    names: ["name"],
    waits: true,
    hasTexts: true,
  },
  findSkills: {
    says: "Gets the skills of the agent.",
    parameters: NONE,
    names: [],
    waits: true,
    withinMs: 60_000,
  },
  listMessages: {
    says: "Lists the messages that the turn begins with.",
    parameters: NONE,
    names: [],
    waits: true,
  },
  findConversation: {
    says: "Gets what was said in earlier turns, for an agent that starts in a new workspace.",
    parameters: NONE,
    names: [],
    waits: true,
  },
  append: {
    says: "Adds pieces to the transcript. A piece whose number is there already is ignored.",
    parameters: form({ chunks: { type: "array", items: chunk, maxItems: 10_000 } }),
    names: ["chunks"],
    isReport: true,
  },
  findEventSize: {
    says: "Gets how much is stored of the events that the program wrote in earlier turns.",
    parameters: NONE,
    names: [],
    waits: true,
  },
  keepReport: {
    says: "Stores the session and the answer that the program has told, and which MCP servers did not start.",
    parameters: form({ session: { type: "string", maxLength: 1_000 }, answer: text, failedServers }, [
      "session",
      "answer",
      "failedServers",
    ]),
    hasTexts: true,
    isReport: true,
  },
  keepUsage: {
    says: "Stores what models were used for in the turn so far, in place of what was stored before. The source is the program itself (harness, the default), or the proxy that has measured it. The larger of the two counts. Answers with overBudget, a sentence, if the turn has to end because it has used more than its budget.",
    parameters: form(
      {
        usage: { type: "array", items: usage, maxItems: 100 },
        source: { enum: ["harness", "proxy"] },
      },
      ["source"],
    ),
    names: ["usage", "source"],
    hasTexts: true,
    isReport: true,
  },
  keepResources: {
    says: "Stores the CPU time and the peak memory of the agent, if they were measured.",
    parameters: resources,
    isReport: true,
  },
  keepReaches: {
    says: "Stores which hosts the programs of the turn have reached so far, and which they were refused.",
    parameters: form({
      reached: { type: "array", items: form(reach), maxItems: MAX_REACHES },
      refused: {
        type: "array",
        items: form({ ...reach, reason: { enum: REFUSAL_REASONS } }),
        maxItems: MAX_REACHES,
      },
    }),
    hasTexts: true,
    isReport: true,
  },
  listUsage: {
    says: "Lists what models were used for in the run.",
    parameters: NONE,
    names: [],
  },
  addFile: {
    says: "Lists a file that the agent has left, and whose bytes have been sent. Answers why it is not listed: `too many`, `too large` or `unfit path`.",
    parameters: form({ file }),
    names: ["file"],
    waits: true,
    hasTexts: true,
  },
  listArtifacts: {
    says: "Lists what the run has made.",
    parameters: NONE,
    names: [],
    waits: true,
  },
  proposePlan: {
    says: "Asks a person to approve the plan that the agent has left.",
    parameters: form({ file: text, output: text }, ["file", "output"]),
    waits: true,
    hasTexts: true,
  },
  "session.open": {
    says: "Says that the session takes messages, and how long it waits for one.",
    parameters: form({ idleMs: amount }, ["idleMs"]),
    names: ["idleMs"],
  },
  "session.close": {
    says: "Says that it takes no more messages.",
    parameters: NONE,
    names: [],
    isReport: true,
  },
  "session.listUngiven": {
    says: "Lists messages that no agent has been given.",
    parameters: NONE,
    names: [],
  },
  "session.offer": {
    says: "Says that the agent may be given a message from now on.",
    parameters: form({ id: text }),
    names: ["id"],
    hasTexts: true,
  },
  "session.give": {
    says: "Says that messages were written to the session.",
    parameters: form({ ids: { ...texts, maxItems: 1_000 } }),
    names: ["ids"],
    hasTexts: true,
    isReport: true,
  },
  "session.confirm": {
    says: "Says that the agent has written something after a message.",
    parameters: form({ id: text }),
    names: ["id"],
    hasTexts: true,
    isReport: true,
  },
  "session.keepRest": {
    says: "Says that the agent has nothing to do until there is a message.",
    parameters: NONE,
    names: [],
    isReport: true,
  },
  "session.findIsWaiting": {
    says: "Answers whether the run waits for other runs.",
    parameters: NONE,
    names: [],
  },
  "session.reply": {
    says: "Gives the open question of the session its answer, which is a message. Answers whether it has gone out.",
    parameters: form({ id: text, text }),
    names: ["id", "text"],
  },
};

/** A call of a door as what treats all of them alike sees it. */
export type AnyCall = (...told: unknown[]) => Promise<unknown>;

const SESSION = "session.";

/** The method of a door by its name. */
export function callOf(door: TurnDoor, name: TurnCallName): AnyCall {
  const isOfSession = name.startsWith(SESSION);
  const methods: object = isOfSession ? door.session : door;
  return (methods as Record<string, AnyCall>)[isOfSession ? name.slice(SESSION.length) : name] as AnyCall;
}

/** A door whose methods are made from their names and descriptions. */
export function doorOf(make: (name: TurnCallName, call: TurnCall) => AnyCall): TurnDoor {
  const door: Record<string, AnyCall> = {};
  const session: Record<string, AnyCall> = {};
  for (const [name, call] of Object.entries(TURN_CALLS) as [TurnCallName, TurnCall][]) {
    if (name.startsWith(SESSION)) session[name.slice(SESSION.length)] = make(name, call);
    else door[name] = make(name, call);
  }
  // The table has a row for each method.
  return { ...door, session } as unknown as TurnDoor;
}

/** What a call says over the network. */
export function parametersOf({ names }: TurnCall, told: readonly unknown[]): object {
  if (!names) return told[0] as object;
  return Object.fromEntries(names.map((name, index) => [name, told[index]]));
}

/** Makes the call of a worker. @param parameters have the form that the call takes */
export function makeCall(
  door: TurnDoor,
  name: TurnCallName,
  parameters: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { names, withinMs } = TURN_CALLS[name];
  const told = names ? names.map((each) => parameters[each]) : [parameters];
  const signals = withinMs === undefined ? [] : [AbortSignal.timeout(withinMs)];
  return callOf(door, name)(...told, ...signals);
}
