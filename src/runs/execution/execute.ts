import { errorMessage } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import type { Log } from "../../log.ts";
import { agentEnvironment } from "../agents/agent-environment.ts";
import { agentSession } from "../agents/agent-session.ts";
import { hashRunToken } from "../agents/run-token.ts";
import type { Harnesses } from "../harness/harness.ts";
import { harnessEnvironment, keyOf } from "../harness/harness-environment.ts";
import { turnCommand } from "../harness/turn-command.ts";
import { rememberLastWords } from "../output/last-words.ts";
import { OUTPUT_FULL, openTranscript } from "../output/transcript.ts";
import type { RunSignals } from "../queue.ts";
import type { Ending } from "../run.ts";
import type { Launch } from "../sandbox/sandbox.ts";
import type { Assignment } from "../turns/assignment.ts";
import type { TurnDoor } from "../turns/turn-door.ts";
import { mcpFile } from "../workspace/mcp-servers.ts";
import type { UsageWatch } from "../workspace/usage-watch.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import { CANCELLED, couldNotExecute, endingOf, setupFailed } from "./ending.ts";
import { finishTurn } from "./finish-turn.ts";
import { ignoredOfMachine } from "./ignored-machine.ts";
import { keepArtifacts } from "./keep-turn-artifacts.ts";
import { missedFactory } from "./missed-factory.ts";
import { endingWith } from "./plan-ending.ts";
import { type BegunTurn, launchOf, prepareTurn, type ReadyTurn, type TurnDeps } from "./prepare-turn.ts";
import { type RegistryAuth, writeRegistryAuth } from "./registry-auth.ts";
import { runProgram } from "./run-program.ts";

/** What a turn is executed with: all of it is the executor's own, and nothing the server's. */
export interface ExecuteDeps extends TurnDeps {
  harnesses: Harnesses;
  /** Where keys of programs are that the definition leaves to the executor. */
  environment: Readonly<Record<string, string | undefined>>;
  workspaces: Workspaces;
  usage: Pick<UsageWatch, "watch">;
  /** Where files are kept that agents leave. */
  artifacts: string;
  /** Where credentials of registries lie for as long as an engine may need them. */
  registryAuths: string;
  log: Log;
  now: () => Date;
}

/**
 * Carries out a claimed turn to its end: prepare, record the start, run the agent, record how it ended. Whatever is
 * thrown on the way ends the turn too; it would otherwise stay in progress until the next start of the server.
 */
export async function executeTurn(
  assignment: Assignment,
  door: TurnDoor,
  deps: ExecuteDeps,
  signals: RunSignals,
): Promise<void> {
  const ending = await runTurn(assignment, door, deps, signals).catch(couldNotExecute);
  if (ending) await finishTurn(assignment.run.id, ending, door, deps.log, signals.stop);
}

async function runTurn(
  assignment: Assignment,
  door: TurnDoor,
  deps: ExecuteDeps,
  signals: RunSignals,
): Promise<Ending | undefined> {
  const { run } = assignment;
  const program = deps.harnesses.find(run.execution.harness);
  if ("missing" in program) return setupFailed(program.missing);
  const key = keyOf(assignment.key, program, deps.environment);
  const hidden = key === undefined ? assignment.hidden : [...assignment.hidden, key];
  const limit = new AbortController();
  const transcript = openTranscript({
    append: door.append,
    turn: run.turn,
    lastSeq: assignment.lastSeq,
    ...(program.output === "text" ? {} : { earlierEvents: await door.findEventSize() }),
    now: deps.now,
    onFull: () => limit.abort(OUTPUT_FULL),
    onError: (error) =>
      deps.log.error({ run: run.id, error: errorMessage(error) }, "output could not be stored"),
  });
  for (const note of assignment.notes) transcript.note(note);
  const taken = await deps.workspaces.take(run.id, run.startedAt === null);
  const end = (message: string) => limit.abort(message);
  const unwatch = deps.usage.watch({ runId: run.id, folder: taken.path, end });
  let auth: RegistryAuth | undefined;
  try {
    if (assignment.registryAuths)
      auth = await writeRegistryAuth(assignment.registryAuths, { folder: deps.registryAuths, runId: run.id });
    await door.hide(hidden);
    const turn = {
      ...{ assignment, run, door, program, key, hidden, taken, transcript },
      registryAuth: auth?.folder,
      limit: limit.signal,
    };
    const ready = await prepareTurn(turn, deps, signals);
    if (!ready || "state" in ready) return ready;
    const cutOff = (reason: string) => limit.abort(reason);
    return await runAgent({ ...turn, ...ready, cutOff }, deps, signals);
  } finally {
    const usage = unwatch();
    if (usage) await taken.noteUsage(usage).catch(() => {});
    const removeAuth = () => auth?.remove();
    await transcript.end().finally(removeAuth).finally(taken.release);
  }
}

/** A turn whose agent can start. */
type StartableTurn = BegunTurn &
  ReadyTurn & {
    /** Ends the turn for this reason. */
    cutOff(reason: string): void;
  };

/** The start is recorded before the process exists: a crash in between loses a run, and never starts it twice. */
async function runAgent(
  turn: StartableTurn,
  deps: ExecuteDeps,
  { stop, cancel, onMessage }: RunSignals,
): Promise<Ending | undefined> {
  const { assignment, run, door, program, taken, workspace, prompt, transcript, limit, cutOff } = turn;
  const { repositories, setupCommands, machine, runToken, timeoutMs } = assignment;
  // A server that is stopping leaves the run claimed; the next one finds that it never started, and queues it again.
  if (stop.aborted) return undefined;
  const session = agentSession({ run, door, row: program, transcript, onMessage, cutOff }, deps);
  // Before the start is recorded: a program that is not there has not been started.
  const launch = agentLaunch(turn, session.takesInput, deps);
  const { mode, weaknesses } = deps.sandbox;
  const isStarted = await door.start({
    sessionId: newUuid(),
    tokenHash: hashRunToken(runToken),
    takesInput: session.takesInput,
    isolation: {
      sandbox: mode,
      weaknesses: [...weaknesses, ...ignoredOfMachine(machine, mode), ...missedFactory(run)],
    },
    wasSetUp: !taken.isPrepared && repositories.length + setupCommands.length > 0,
  });
  // The claim still holds when someone cancelled the run in the meantime, and then it has to be ended.
  if (!isStarted) return CANCELLED;
  if (run.turn > 1) transcript.note(`turn ${run.turn}`);
  await deps.sandbox.chownWorkspace(run.id, workspace.path, deps.files);
  const lastWords = rememberLastWords(transcript);
  const end = await runProgram({
    runId: run.id,
    launch,
    sandbox: deps.sandbox,
    host: deps.host,
    ...session.options(prompt),
    secrets: turn.hidden,
    transcript: lastWords,
    timeoutMs,
    signal: AbortSignal.any([stop, cancel]),
    limit,
  }).finally(session.close);
  const left = end.kind === "alive" ? {} : await keepArtifacts(turn, deps);
  // What a harness reads for its answer has been stored when it came.
  const isPlain = program.output === "text" && end.kind === "exited" && end.code === 0;
  const ending = endingOf(end, timeoutMs, session.failure() || lastWords.reason());
  return endingWith({ ending, left, output: isPlain ? lastWords.answer() : "" }, run, door);
}

/** What is spawned for the agent: the words of its harness, and what that adds to the environment. */
function agentLaunch(turn: StartableTurn, isLive: boolean, deps: ExecuteDeps): Launch {
  const { run, program, key, workspace, assignment } = turn;
  const { secrets, runToken, pushToken } = assignment;
  const hasMcpServers = deps.sandbox.reachesApi || Object.keys(mcpFile(run.config).mcpServers).length > 0;
  return launchOf(turnCommand(program, { run, isLive, hasMcpServers }), turn, deps.sandbox, {
    ...harnessEnvironment(program, secrets, key),
    ...agentEnvironment({ run, workspace, apiUrl: deps.apiUrl(), runToken, pushToken }, secrets),
  });
}
