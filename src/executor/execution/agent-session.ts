import { serial } from "../../concurrency/shared-work.ts";
import { errorMessage } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import { type FollowUp, givenText } from "../../runs/rules/follow-up.ts";
import type { Run } from "../../runs/run.ts";
import type { SessionDoor, TurnDoor } from "../../runs/turn/turn-door.ts";
import type { RunSignals } from "../../runs/turn/turn-signals.ts";
import type { HarnessRow } from "../harness/harness.ts";
import type { OutputReport } from "../harness/output-reader.ts";
import { liveInput } from "../harness/turn-command.ts";
import { lessEarlier, type ModelUsage, nameModels } from "../output/model-usage.ts";
import type { TranscriptWriter } from "../output/transcript-writer.ts";
import type { ProgramInput, WrittenInput } from "../supervisor/agent-program.ts";
import type { BudgetWatch } from "./budget-watch.ts";
import type { ProgramOptions } from "./run-program.ts";

export interface AgentSessionDeps {
  log: Log;
}

/** The turn whose agent the session is with. */
export interface SessionTurn {
  run: Run;
  door: Pick<TurnDoor, "session" | "keepReport" | "keepUsage" | "listUsage">;
  row: HarnessRow;
  transcript: TranscriptWriter;
  onMessage: RunSignals["onMessage"];
  /** Ends the turn: what it lacks does not come by waiting. */
  cutOff(reason: string): void;
  /** Looks at what is answered to reports of usage. */
  budget: Pick<BudgetWatch, "look">;
  /** The secrets that the run was granted. */
  granted: ReadonlyMap<string, unknown>;
  /** The MCP servers that have been told of because they do not start. */
  failedServers?: readonly string[];
}

/** How millrace and an agent talk in a turn, as its harness has it: what it is written, and what its output tells. */
export interface AgentSession {
  takesInput: boolean;
  /** @param prompt what the turn asks */
  options(prompt: string): Pick<ProgramOptions, "input" | "onInput" | "output" | "onReport">;
  /** Why the program fails, as far as its output has told; empty otherwise. */
  failure(): string;
  /** Whether the program has reported a success last: what it reported before, it has recovered from. */
  hasSucceeded(): boolean;
  /** The answer as JSON, which the program has given for a schema; empty otherwise. */
  answerJson(): string;
  close(): Promise<void>;
}

/** Finds out how to talk with an agent. Nothing is said before its program has started. */
export function agentSession(
  { run, door, row, transcript, onMessage, cutOff, budget, granted, failedServers = [] }: SessionTurn,
  { log }: AgentSessionDeps,
): AgentSession {
  const live = liveInput(row, run.config);
  let session: LiveSession | undefined;
  let sessionName = run.harnessSession;
  let failure = "";
  let hasSucceeded = false;
  let answerJson = "";
  const toldServers = new Set(failedServers);
  let isCutOff = false;
  const keeping = serial();
  const onError = (error: unknown) =>
    log.error(
      { run: run.id, error: errorMessage(error) },
      "a message to or from an agent could not be stored",
    );

  function open(input: ProgramInput): void {
    if (!live) return;
    const onGiven = () => transcript.note("a message was sent to the session");
    session = openLiveSession({ door: door.session, input, ...live, onGiven, onError });
  }

  function fail(reason: string, isFatal: boolean): void {
    // A program that ends at once, before it is stopped, has ended for the same reason.
    failure = isFatal ? `${sentence(reason)} ${keyHint(run, row, granted)}` : reason;
    if (!isFatal || isCutOff) return;
    isCutOff = true;
    const message = `The agent was stopped: ${failure}`;
    transcript.note(message);
    cutOff(message);
  }

  function keepUsage(usage: readonly ModelUsage[], isOfSession: boolean): void {
    const named = nameModels(usage, run.execution.harness);
    const hasEarlier = isOfSession && sessionName !== null && sessionName === run.harnessSession;
    const ofTurn = async () => (hasEarlier ? lessEarlier(named, await earlierUsage()) : named);
    void keeping.run(async () => budget.look(await door.keepUsage(await ofTurn()))).catch(onError);
  }

  async function earlierUsage() {
    return (await door.listUsage()).filter(({ turn }) => turn < run.turn);
  }

  function tellOf(name: string): void {
    if (toldServers.has(name)) return;
    toldServers.add(name);
    transcript.note(`the MCP server ${name} did not start`);
    const reason = "the agent's program could not start or reach it";
    void keeping.run(() => door.keepReport({ failedServers: [{ name, reason }] })).catch(onError);
  }

  function keep({ session: name, answer, usage, ...report }: OutputReport): void {
    if (report.isIdle) session?.rest();
    else if (report.isIdle === false) session?.stir();
    if (report.failure !== undefined) hasSucceeded = report.failure === "";
    if (report.failure !== undefined) fail(report.failure, report.isFatal === true);
    if (name !== undefined) sessionName = name;
    if (answer !== undefined || report.answerJson !== undefined) answerJson = report.answerJson ?? "";
    if (usage !== undefined) keepUsage(usage, report.isUsageOfSession === true);
    for (const server of report.failedServers ?? []) tellOf(server);
    if (name === undefined && answer === undefined) return;
    const reported = {
      ...(name === undefined ? {} : { session: name }),
      ...(answer === undefined ? {} : { answer }),
    };
    void keeping.run(() => door.keepReport(reported)).catch(onError);
  }

  onMessage(() => session?.look());
  return {
    takesInput: live !== undefined,
    options: (prompt) => ({
      input: live ? live.encode(prompt) : row.stdin === "none" ? "" : prompt,
      ...(live ? { onInput: open } : {}),
      output: row.output,
      onReport: keep,
    }),
    failure: () => failure,
    hasSucceeded: () => hasSucceeded,
    answerJson: () => answerJson,
    async close() {
      await session?.close();
      await keeping.ended();
    },
  };
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/**
 * Where the key of a program comes from, which its model has refused. Only what the run has can be wrong: a secret that it was
 * not granted is named as what it lacks.
 */
function keyHint(
  { execution: { harness } }: Run,
  { keyVariables = [], environment = {} }: HarnessRow,
  granted: ReadonlyMap<string, unknown>,
): string {
  const { auth } = harness;
  if (auth?.source === "managedSecret") return `Check the secret ${auth.secretName} (harness.auth).`;
  const variables = keyVariables.join(" or ");
  if (auth?.source === "workerEnvironment")
    return `Check the environment variable ${variables} of the server or worker that executed the run.`;
  const used = keyVariables.find((name) => granted.has(name));
  if (used !== undefined) return `Check the secret ${used}.`;
  const configured = keyVariables.find((name) => environment[name] !== undefined);
  if (configured !== undefined)
    return `Check ${configured} under environment: of the harness in millrace.yaml.`;
  const grant =
    variables === ""
      ? ""
      : ` grant the secret ${variables} under secrets:, or specify a secret in harness.auth.`;
  if (granted.size === 0)
    return `The run was granted no secret:${grant || " grant the key of its model under secrets:."}`;
  const names = [...granted.keys()].join(", ");
  return `Check the secrets that the run was granted: ${names}.${grant && ` If none of them is the key,${grant}`}`;
}

export interface LiveSessionOptions {
  door: SessionDoor;
  /** The standard input of the agent's program. */
  input: ProgramInput;
  /** A message as the program reads it. */
  encode(message: string): string;
  /** How long it may wait for a message when it has nothing to do, in milliseconds. */
  idleMs: number | undefined;
  onGiven(): void;
  onError(error: unknown): void;
}

interface LiveSession {
  /** Says that a message may have come. */
  look(): void;
  /** Says that the agent has nothing left to do: its input ends when no message comes in time, or at once while its run waits. */
  rest(): void;
  /** Says that the agent works, perhaps on a message that it was given after the report that it had nothing left to do. */
  stir(): void;
  /** Lets go of the input; what has not been given waits for the next turn. */
  close(): Promise<void>;
}

/**
 * Gives an agent the messages that come while it works, in their order and one at a time. A pipe takes what nobody reads, so
 * a message counts as read when the agent has written something after it. Until then, whatever ends the session, the
 * message begins the next turn, marked as one that the agent may have read. The answer to a question whose call is held open
 * goes there, and counts as read in the same way.
 */
export function openLiveSession(options: LiveSessionOptions): LiveSession {
  const { door, input, encode, idleMs, onGiven, onError } = options;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  const giving = serial();
  const confirmations: Promise<void>[] = [];
  /** Messages that need not be handed over: an earlier executor has, or nobody knows whether their answer has gone out. */
  const handled = new Set<string>(input.earlier.keys());
  /** Messages that the program has taken, of which the store may not know: it may have been away. */
  const taken = new Map<string, WrittenInput>();
  // Before a message is looked for: it may be the answer to what the agent asks first.
  const opening = door.open(idleMs).catch(onError);

  async function give(): Promise<void> {
    for (const followUp of await door.listUngiven()) {
      const { id } = followUp;
      if (handled.has(id)) continue;
      clearTimeout(idle);
      if (isClosed) return;
      if (!taken.has(id)) await door.offer(id);
      const { isTaken, isAnswered } = taken.get(id) ?? (await hand(followUp));
      if (!isTaken) return;
      taken.set(id, { isTaken, isAnswered });
      await door.give([id]);
      onGiven();
      confirmations.push(confirm(id, isAnswered).catch(onError));
    }
  }

  async function keepRest(): Promise<void> {
    await door.keepRest();
    if (!isClosed && (await door.findIsWaiting())) input.end();
  }

  async function hand(followUp: FollowUp): Promise<WrittenInput> {
    const { id, message, isAnswer } = followUp;
    const isSent = isAnswer ? await door.reply(id, message) : undefined;
    if (isSent === undefined) return input.write(encode(givenText(followUp)), id);
    if (!isSent) handled.add(id);
    // What the program writes after this it writes after the answer has gone out to it.
    return isSent ? input.write("") : { isTaken: false, isAnswered: Promise.resolve(false) };
  }

  async function confirm(id: string, isAnswered: Promise<boolean>): Promise<void> {
    if (await isAnswered) await door.confirm(id);
  }

  /** An executor that ended in between may not have told what it has given. */
  async function tellEarlier(): Promise<void> {
    for (const [id, { isTaken, isAnswered }] of input.earlier) {
      if (!isTaken) continue;
      await door.give([id]);
      confirmations.push(confirm(id, isAnswered).catch(onError));
    }
  }

  function look(): void {
    void giving.run(give).catch(onError);
  }

  if (input.earlier.size > 0) void giving.run(tellEarlier).catch(onError);
  // What came between the record of the start and now.
  look();
  return {
    look,
    rest() {
      clearTimeout(idle);
      if (isClosed) return;
      if (idleMs !== undefined) idle = setTimeout(() => input.end(), idleMs);
      void giving.run(keepRest).catch(onError);
    },
    stir: () => clearTimeout(idle),
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await opening;
      await door.close().catch(onError);
      await giving.ended();
      await Promise.all(confirmations);
    },
  };
}
