import { hostWith, strangePlatform } from "../../definitions/runner-host.ts";
import { errorMessage } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import type { Log } from "../../log.ts";
import type { TurnResources } from "../../runs/output/usage.ts";
import { answerSchema } from "../../runs/rules/output-answer.ts";
import { isPlanning } from "../../runs/rules/plan.ts";
import type { Ending, Run } from "../../runs/run.ts";
import type { Machine } from "../../runs/turn/assignment.ts";
import { budgetExceeded, CANCELLED } from "../../runs/turn/ending.ts";
import { hashRunToken } from "../../runs/turn/run-token.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import type { RunSignals } from "../../runs/turn/turn-signals.ts";
import type { HarnessRow } from "../harness/harness.ts";
import type { OutputReport } from "../harness/output-reader.ts";
import { turnCommand } from "../harness/turn-command.ts";
import { troubleText } from "../network/proxy/model-troubles.ts";
import { rememberLastWords } from "../output/last-words.ts";
import { limitOfText } from "../output/provider-limits.ts";
import { hasProxy, type Launch, type Sandbox } from "../sandbox/sandbox.ts";
import type { AgentProgram, ProgramListener } from "../supervisor/agent-program.ts";
import type { AgentSupervisor } from "../supervisor/agent-supervisor.ts";
import type { Keeping } from "../supervisor/supervisor-messages.ts";
import { mcpFile } from "../workspace/mcp-servers.ts";
import { type AgentSession, agentSession } from "./agent-session.ts";
import { type LeftTurn, type TurnCheckpoint, turnState } from "./left-turn.ts";
import {
  agentEnvironment,
  apiUrlOf,
  type BegunTurn,
  launchOf,
  type ReadyTurn,
  type TurnDeps,
} from "./prepare-turn.ts";
import { endingOf, followToEnd, type ProgramOutcome } from "./run-program.ts";
import { keepArtifacts } from "./turn-artifacts.ts";

export interface AgentDeps extends TurnDeps {
  host: Pick<AgentSupervisor, "start" | "takeUp" | "end">;
  /** Where files are kept that agents leave. */
  artifacts: string;
  /** How long an agent goes on when this process has ended, in milliseconds; left out where it ends with it. */
  aloneMs?: number;
  log: Log;
}

/** A turn whose agent is started, or taken up. */
export interface AgentTurn extends BegunTurn {
  /** Ends the turn for this reason. */
  cutOff(reason: string): void;
  /** Cuts the turn off if its workspace has grown too large. */
  lookAtUsage(): Promise<void>;
}

type OnAgent = (agent: Pick<AgentProgram, "forget">) => void;

/** The start is recorded before the process exists: a crash in between loses a run, and never starts it twice. */
export async function startAgent(
  turn: AgentTurn & ReadyTurn,
  deps: AgentDeps,
  signals: RunSignals,
  onAgent: OnAgent,
): Promise<Ending | undefined> {
  const { assignment, run, door, taken, workspace, prompt, transcript } = turn;
  const { repositories, setupCommands, machine, runToken, timeoutMs } = assignment;
  // A server that is stopping leaves the run claimed; the next one finds that it never started, and queues it again.
  if (signals.stop.aborted) return undefined;
  const session = sessionOf(turn, deps, signals);
  // Before the start is recorded: a program that is not there has not been started.
  const launch = agentLaunch(turn, session.takesInput, deps);
  const { mode, weaknesses } = deps.sandbox;
  const starting = door.start({
    sessionId: newUuid(),
    tokenHash: hashRunToken(runToken),
    takesInput: session.takesInput,
    isolation: {
      sandbox: mode,
      weaknesses: [...weaknesses, ...ignoredOfMachine(machine, deps.sandbox), ...missedFactory(run)],
    },
    ...(turn.setup ? { setup: turn.setup } : {}),
    wasSetUp: !taken.isPrepared && repositories.length + setupCommands.length > 0,
  });
  // Nobody uses the workspace before both are done.
  const handingOver = deps.sandbox.chownWorkspace(run.id, workspace.path, deps.files);
  await Promise.allSettled([starting, handingOver]);
  // The claim still holds when someone cancelled the run in the meantime, and then it has to be ended.
  if (!(await starting)) return CANCELLED;
  if (run.turn > 1) transcript.note(`turn ${run.turn}`);
  await handingOver;
  const { input, onInput, onReport, output = "text" } = session.options(prompt);
  const hidden = [...turn.hidden, ...localPlaceholders(launch)];
  const spec = { launch, input, output, keepsInput: onInput !== undefined, secrets: hidden };
  const start = (listener: ProgramListener) =>
    deps.host.start(
      { ...spec, keeping: keepingOf({ ...turn, hidden }, deps, signals) },
      { ...listener, ...(onReport ? { onReport } : {}), onNetwork: turn.networkLog.follow() },
    );
  const canRefuseModels = hasProxy(launch);
  return untilEnd({ turn, session, onInput, timeoutMs, start, onAgent, canRefuseModels }, deps, signals);
}

/** Goes on with an agent that an earlier executor has started. */
export async function takeUpAgent(
  turn: AgentTurn,
  left: LeftTurn,
  deps: AgentDeps,
  signals: RunSignals,
  onAgent: OnAgent,
): Promise<Ending | undefined> {
  const { ageMs } = left.program;
  // An earlier executor has told of these.
  const { failedServers: _, ...report } = left.program.report;
  const session = sessionOf(turn, deps, signals);
  const { onInput: open, onReport: tell } = session.options("");
  /** What the program reports before its session is open again counts more than what it has reported before, and is told with it. */
  let early: OutputReport | undefined = report;
  const tellEarly = () => {
    const reported = early ?? {};
    early = undefined;
    tell?.(reported);
  };
  const onReport = (reported: OutputReport) => {
    if (early) early = { ...early, ...reported };
    else tell?.(reported);
  };
  const onInput =
    open &&
    ((input: AgentProgram["input"]) => {
      open(input);
      tellEarly();
    });
  if (!open) tellEarly();
  const onNetwork = turn.networkLog.follow();
  if (left.program.network) onNetwork(left.program.network);
  const start = (listener: ProgramListener) =>
    deps.host.takeUp(left.program, { ...listener, onReport, onNetwork });
  const timeoutMs = Math.max(0, turn.assignment.timeoutMs - ageMs);
  const canRefuseModels = left.program.network !== undefined;
  return untilEnd(
    { turn, session, onInput, timeoutMs, start, onAgent, canRefuseModels, left },
    deps,
    signals,
  );
}

interface Following {
  turn: AgentTurn;
  session: AgentSession;
  onInput: ReturnType<AgentSession["options"]>["onInput"];
  timeoutMs: number;
  start(listener: ProgramListener): AgentProgram;
  onAgent: OnAgent;
  /** Whether its models can be kept from answering. */
  canRefuseModels: boolean;
  left?: LeftTurn;
}

/** Follows an agent to its end, and finds out what that means for its run. */
async function untilEnd(
  { turn, session, onInput, timeoutMs, start, onAgent, canRefuseModels, left }: Following,
  deps: AgentDeps,
  { stop, cancel }: RunSignals,
): Promise<Ending | undefined> {
  const { assignment, run, door, program, transcript, limit } = turn;
  const lastWords = rememberLastWords(left?.checkpoint?.lastWords);
  const agent = start({
    onOutput(pieces) {
      lastWords.hear(pieces);
      return transcript.append(pieces);
    },
    checkpoint: (): TurnCheckpoint => ({
      position: transcript.position(),
      lastWords: lastWords.remembered(),
    }),
  });
  onAgent(agent);
  if (canRefuseModels) turn.budget.letSayGoodbye(agent.refuseModels);
  // What is said from here on has its place among the output: an executor that takes the turn up numbers both in the same way.
  transcript.divertNotes(agent.say);
  const taken: { resources?: TurnResources } = {};
  const programEnd = await followToEnd(agent, {
    runId: run.id,
    sandbox: deps.sandbox,
    timeoutMs,
    limit,
    onResources(resources) {
      taken.resources = resources;
    },
    ...(onInput ? { onInput } : {}),
    signal: AbortSignal.any([stop, cancel]),
  }).finally(session.close);
  transcript.divertNotes(undefined);
  const end = await lookAtEnd(programEnd, turn);
  if (end.kind === "fenced") return undefined;
  if (taken.resources) await keepResources(taken.resources, turn, deps);
  if (end.kind === "out_of_memory") transcript.note(`The agent was killed: ${end.reason}.`);
  const kept = end.kind === "alive" ? {} : await keepArtifacts(turn, deps);
  // What a harness reads for its answer has been stored when it came.
  const isPlain = program.output === "text" && end.kind === "exited" && end.code === 0;
  await turn.networkLog.ended();
  const overBudget = turn.budget.reason();
  const ending =
    overBudget === undefined
      ? {
          ...endingOf(end, assignment.timeoutMs, session.failure() || lastWords.reason()),
          ...(session.hasSucceeded()
            ? {}
            : limitOf(end, turn, session.failure() || lastWordsOf(program, lastWords))),
        }
      : budgetExceeded(overBudget);
  const answerJson = answerSchema(run) === undefined ? "" : session.answerJson();
  return endingWith(
    {
      ending: answerJson === "" ? ending : { ...ending, answerJson },
      left: kept,
      output: isPlain ? lastWords.answer() : "",
    },
    run,
    door,
  );
}

/** The last line of a program that does nothing but ask a model. What others print says nothing about one. */
function lastWordsOf(
  { output }: HarnessRow,
  { reason, answer }: ReturnType<typeof rememberLastWords>,
): string {
  if (output === "text") return "";
  return reason() ?? answer().split("\n").at(-1) ?? "";
}

/** Whether a program has failed because its provider did not let it go on, as far as it has said so or its proxy has seen it. */
function limitOf(
  end: ProgramOutcome,
  { networkLog, run }: AgentTurn,
  failure: string,
): Pick<Ending, "limit"> {
  if (end.kind !== "exited" || end.code === 0) return {};
  const said = limitOfText(failure, new Date());
  if (said === "other") return {};
  const { troubles = [] } = networkLog.report();
  const { model } = run.execution.harness;
  const trouble = troubles.find((each) => isOfModel(each.model, model));
  // Without a word of the program, what its last request came to is why it has failed.
  if (!trouble) return said ? { limit: said } : {};
  const until = [said?.until, trouble.until].filter((each) => each !== undefined).sort();
  return {
    limit: {
      kind: trouble.kind,
      ...(until.length > 0 ? { until: until.at(-1) as string } : {}),
      reason: troubleText(trouble),
      seenBy: trouble.isOwn ? "proxy" : "output",
    },
  };
}

/** Programs ask for models under longer names than those they are started with, and for others too. */
function isOfModel(asked: string | null, model: string | undefined): boolean {
  return asked === null || model === undefined || asked.includes(model) || model.includes(asked);
}

/** What an agent that has ended by itself has left may be too much, also where it was written in no time. */
async function lookAtEnd(end: ProgramOutcome, { limit, lookAtUsage }: AgentTurn): Promise<ProgramOutcome> {
  if (end.kind !== "exited" && end.kind !== "killed") return end;
  await lookAtUsage();
  return limit.aborted ? { kind: "over_limit", message: String(limit.reason) } : end;
}

/** A turn ends as well when it is not known what it has taken: a server of an earlier version does not ask for it. */
async function keepResources(
  resources: TurnResources,
  { run, door }: AgentTurn,
  { log }: AgentDeps,
): Promise<void> {
  await door.keepResources(resources).catch((error) => {
    const reason = errorMessage(error);
    log.warn({ run: run.id, error: reason }, "the CPU time and the memory of a turn could not be stored");
  });
}

function sessionOf(
  {
    run,
    door,
    assignment,
    program: row,
    transcript,
    cutOff,
    budget,
    ...ready
  }: AgentTurn & Partial<ReadyTurn>,
  deps: AgentDeps,
  signals: RunSignals,
) {
  const { onMessage } = signals;
  const { failedServers = [] } = ready;
  const { secrets: granted } = assignment;
  return agentSession(
    { run, door, row, transcript, onMessage, cutOff, budget, granted, failedServers },
    deps,
  );
}

function keepingOf(
  { run, assignment, program, hidden, transcript, networkLog }: AgentTurn,
  { aloneMs, sandbox, apiUrl }: AgentDeps,
  { heldForMs }: RunSignals,
): Keeping | undefined {
  if (aloneMs === undefined) return undefined;
  const state = turnState({
    assignment: { ...assignment, run },
    hidden,
    position: transcript.position(),
    sandbox: sandbox.mode,
    row: program,
    apiUrl: apiUrl(),
    setupNetwork: networkLog.report(),
  });
  return { runId: run.id, state, aloneMs, holdMs: heldForMs?.() };
}

/** Whoever reads them and has a program on the same machine could use the key for as long as the turn lasts. */
function localPlaceholders({ endpoints }: Launch): string[] {
  return endpoints?.injections.map(({ placeholder }) => placeholder) ?? [];
}

/** What is spawned for the agent: the words of its harness, and what that adds to the environment. */
function agentLaunch(turn: AgentTurn & ReadyTurn, isLive: boolean, deps: AgentDeps): Launch {
  const { run, program, workspace, assignment, guarded } = turn;
  const { runToken, pushToken } = assignment;
  const hasMcpServers = deps.sandbox.reachesApi || Object.keys(mcpFile(run.config).mcpServers).length > 0;
  const apiUrl = apiUrlOf(turn, deps);
  const row = { ...program, arguments: [...(program.arguments ?? []), ...guarded.arguments] };
  const context = { run, workspace, apiUrl, runToken, pushToken };
  return launchOf(
    turnCommand(row, { run, isLive, hasMcpServers, schema: answerSchema(run) }),
    turn,
    deps,
    { ...guarded.environment, ...agentEnvironment(context, guarded.secrets) },
    guarded,
  );
}

/** What a run's runner asks of its machine and the sandbox of the server does not give, a sentence each: for its timeline. */
function ignoredOfMachine(
  { image, shape, platform = {} }: Machine,
  sandbox: Pick<Sandbox, "mode" | "limitsSize">,
): string[] {
  const strange = strangePlatform(platform, hostWith(sandbox));
  const ofSystem = strange === undefined ? [] : [strange];
  if (sandbox.mode === "container") return ofSystem;
  return [
    ...ofSystem,
    ...(image === undefined ? [] : [`the image ${image} is ignored: only the container sandbox uses images`]),
    ...(shape === undefined || sandbox.limitsSize
      ? []
      : ["instanceShape is ignored: no container and no cgroup holds the run to that size"]),
  ];
}

/** Why a run has neither the prompt nor the secrets of an agent, a sentence for its timeline. */
function missedFactory({ execution }: Pick<Run, "execution">): string[] {
  if (!execution.betweenFactories) return [];
  return [
    "the run belongs to no factory and has no agent prompt or secrets: the server has several factories, and the request specified neither a " +
      "factory nor an agent; set MILLRACE_DEFAULT_FACTORY to assign such runs to a factory",
  ];
}

/** What an agent has left: in its files, or as the last of its output. */
interface LeftTexts {
  left: { answer?: string; plan?: string };
  output: string;
}

/** The end of a turn with its answer; a run that plans asks a person about its plan. */
async function endingWith(
  { ending, left, output }: { ending: Ending } & LeftTexts,
  run: Run,
  door: Pick<TurnDoor, "proposePlan">,
): Promise<Ending> {
  const decided = await endingOfPlan(ending, { left, output }, run, door);
  if (left.answer !== undefined) return { ...decided, answer: left.answer };
  return output === "" ? decided : { ...decided, answer: output, isOutput: true };
}

/** What the end of a turn means for a run that plans: it asks a person about its plan, and has failed without one. */
async function endingOfPlan(
  ending: Ending,
  { left, output }: LeftTexts,
  run: Run,
  door: Pick<TurnDoor, "proposePlan">,
): Promise<Ending> {
  if (ending.state !== "SUCCEEDED" || !isPlanning(run)) return ending;
  const outcome = await door.proposePlan({ file: left.plan ?? left.answer, output });
  if (outcome !== "no plan") return ending;
  const message =
    "The agent exited without a plan. A run in plan mode writes one as its final answer, or to artifacts/plan.md. Send a follow-up to start another turn.";
  return {
    ...ending,
    state: "FAILED",
    statusMessage: { message, error_code: "agent_process_failed", retryable: false },
  };
}
