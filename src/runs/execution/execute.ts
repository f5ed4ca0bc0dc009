import { errorMessage, MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import type { Log } from "../../log.ts";
import type { Vault } from "../../secrets/vault.ts";
import { agentEnvironment } from "../agents/agent-environment.ts";
import { agentSession } from "../agents/agent-session.ts";
import type { LiveQuestions } from "../agents/live-questions.ts";
import { hashRunToken, newRunToken } from "../agents/run-token.ts";
import type { Harnesses } from "../harness/harness.ts";
import { harnessEnvironment, openHarnessKey } from "../harness/harness-environment.ts";
import { turnCommand } from "../harness/turn-command.ts";
import { rememberLastWords } from "../output/last-words.ts";
import type { RunMasks } from "../output/run-masks.ts";
import { findLastOutput, OUTPUT_FULL, openTranscript, type TranscriptStore } from "../output/transcript.ts";
import type { RunSignals } from "../queue.ts";
import type { Claim, Ending, RunStore } from "../run.ts";
import type { Launch } from "../sandbox/sandbox.ts";
import type { TurnMeter } from "../turn-meter.ts";
import { mcpFile } from "../workspace/mcp-servers.ts";
import type { UsageWatch } from "../workspace/usage-watch.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import { CANCELLED, endingOf, setupFailed } from "./ending.ts";
import { finishTurn, type StartedTurn } from "./finish-turn.ts";
import { ignoredOfMachine } from "./ignored-machine.ts";
import { keepArtifacts } from "./keep-turn-artifacts.ts";
import { missedFactory } from "./missed-factory.ts";
import { type NeedsDeps, needsOf } from "./needs.ts";
import { endingWith } from "./plan-ending.ts";
import { type BegunTurn, launchOf, prepareTurn, type ReadyTurn, type TurnDeps } from "./prepare-turn.ts";
import { pushCredential, whyNoPush } from "./push-credential.ts";
import { type RegistryAuth, writeRegistryAuth } from "./registry-auth.ts";
import { runProgram } from "./run-program.ts";

export interface ExecuteDeps extends TurnDeps, NeedsDeps {
  store: RunStore;
  transcripts: TranscriptStore;
  vault: Pick<Vault, "open">;
  harnesses: Harnesses;
  /** Whether the agents of a factory may have a key of the server's environment. */
  mayUseWorkerEnvironment(factoryUid: string | null): Promise<boolean>;
  workspaces: Workspaces;
  usage: Pick<UsageWatch, "watch">;
  /** Where API calls find what must not be shown of a run. */
  masks: Pick<RunMasks, "hide">;
  questions: LiveQuestions;
  /** Where the files that agents leave are kept. */
  artifacts: string;
  /** Where credentials of registries lie for as long as an engine may need them. */
  registryAuths: string;
  meter: TurnMeter;
  log: Log;
  now: () => Date;
}

/**
 * Carries out a claimed run to its end: prepare, record the start, run the agent, record how it ended. Whatever is
 * thrown on the way ends the run too; it would otherwise stay in progress until the next start of the server.
 */
export async function executeRun(claim: Claim, deps: ExecuteDeps, signals: RunSignals): Promise<void> {
  const turn: StartedTurn = { ...claim, startedAt: undefined };
  const ending = await runTurn(turn, deps, signals).catch(couldNot);
  if (ending) await finishTurn(turn, ending, deps, signals.stop);
}

/** What keeps a run from being carried out, with what to do about it where that is known. */
function couldNot(error: unknown): Ending {
  if (error instanceof MillraceError && error.code === "environment_setup_failed")
    return setupFailed([`${error.message}.`, error.remedy].filter(Boolean).join(" "));
  return setupFailed(`The run could not be executed: ${errorMessage(error).replace(/\.$/, "")}.`);
}

async function runTurn(
  claim: StartedTurn,
  deps: ExecuteDeps,
  signals: RunSignals,
): Promise<Ending | undefined> {
  const { run, ticket } = claim;
  const program = deps.harnesses.find(run.execution.harness);
  if ("missing" in program) return setupFailed(program.missing);
  const needs = await needsOf(run, deps);
  if ("missing" in needs) return setupFailed(needs.missing);
  const reader = { agentsOf: run.factoryUid };
  const factoryName = needs.active?.definition.factory.name;
  const secrets = await deps.vault.open(needs.secrets, reader);
  const key = await openHarnessKey(run.execution.harness, program, {
    vault: deps.vault,
    factoryUid: run.factoryUid,
    mayUseWorkerEnvironment: deps.mayUseWorkerEnvironment,
    webhookSecrets: needs.active?.webhooks.map(({ webhook }) => webhook.secretName) ?? [],
    serverEnvironment: process.env,
    factoryName,
  });
  const { stop, cancel } = signals;
  const pushToken = await pushCredential(run, needs, deps.forges, AbortSignal.any([stop, cancel])).catch(
    (error) => (stop.aborted || cancel.aborted ? undefined : Promise.reject(error)),
  );
  const runToken = newRunToken();
  const limit = new AbortController();
  const transcript = openTranscript({
    store: deps.transcripts,
    runId: run.id,
    turn: run.turn,
    lastSeq: await findLastOutput(run.id, deps),
    ...(program.output === "text" ? {} : { earlierEvents: await deps.transcripts.findEventSize(run.id) }),
    now: deps.now,
    onFull: () => limit.abort(OUTPUT_FULL),
    onError: (error) =>
      deps.log.error({ run: run.id, error: errorMessage(error) }, "output could not be stored"),
  });
  for (const name of needs.secrets) if (!secrets.has(name)) transcript.note(goesWithout(name));
  const noPush = whyNoPush(run);
  if (noPush !== undefined) transcript.note(noPush);
  const taken = await deps.workspaces.take(run.id, run.startedAt === null);
  const end = (message: string) => limit.abort(message);
  const unwatch = deps.usage.watch({ runId: run.id, folder: taken.path, end });
  let auth: RegistryAuth | undefined;
  let unhide: (() => void) | undefined;
  try {
    // Only containers are made of an image.
    if (deps.sandbox.mode === "container") {
      const { vault, registryAuths: folder } = deps;
      auth = await writeRegistryAuth(needs.machine, { vault, reader, folder, runId: run.id, factoryName });
    }
    const hidden = [...secrets.values(), key, pushToken, ...(auth?.hidden ?? []), runToken].filter(
      (value) => value !== undefined,
    );
    unhide = deps.masks.hide(run.id, hidden);
    const registryAuth = auth?.folder;
    const turn = {
      run,
      program,
      needs,
      secrets,
      hidden,
      taken,
      runToken,
      registryAuth,
      transcript,
      limit: limit.signal,
    };
    const ready = await prepareTurn(turn, deps, signals);
    if (!ready || "state" in ready) return ready;
    const cutOff = (reason: string) => limit.abort(reason);
    const onStarted = (at: Date) => {
      claim.startedAt = at;
      deps.meter.started(run, run.turn === 1 ? at.getTime() - Date.parse(run.createdAt) : undefined);
    };
    const agent = { ...turn, ...ready, ticket, pushToken, key, cutOff, onStarted };
    return await runAgent(agent, deps, signals);
  } finally {
    unhide?.();
    const usage = unwatch();
    if (usage) await taken.noteUsage(usage).catch(() => {});
    const removeAuth = () => auth?.remove();
    await transcript.end().finally(removeAuth).finally(taken.release);
  }
}

/** A turn whose agent can start. */
type StartableTurn = BegunTurn &
  ReadyTurn & {
    ticket: number;
    key: string | undefined;
    pushToken: string | undefined;
    /** Ends the turn for this reason. */
    cutOff(reason: string): void;
    onStarted(at: Date): void;
  };

/** The start is recorded before the process exists: a crash in between loses a run, and never starts it twice. */
async function runAgent(
  turn: StartableTurn,
  deps: ExecuteDeps,
  { stop, cancel, onMessage }: RunSignals,
): Promise<Ending | undefined> {
  const { run, ticket, program, needs, taken, workspace, prompt, runToken, transcript, limit, cutOff } = turn;
  // A server that is stopping leaves the run claimed; the next one finds that it never started, and queues it again.
  if (stop.aborted) return undefined;
  const session = agentSession({ run, ticket, row: program, transcript, onMessage, cutOff }, deps);
  // Before the start is recorded: a program that is not there has not been started.
  const launch = agentLaunch(turn, session.takesInput, deps);
  const { mode, weaknesses } = deps.sandbox;
  const startedAt = deps.now();
  const started = await deps.store.start(
    {
      id: run.id,
      ticket,
      sessionId: newUuid(),
      tokenHash: hashRunToken(runToken),
      takesInput: session.takesInput,
      isolation: {
        sandbox: mode,
        weaknesses: [...weaknesses, ...ignoredOfMachine(needs.machine, mode), ...missedFactory(run)],
      },
      wasSetUp: !taken.isPrepared && needs.repositories.length + needs.setupCommands.length > 0,
    },
    startedAt.toISOString(),
  );
  // The claim still holds when someone cancelled the run in the meantime, and then it has to be ended.
  if (!started) return CANCELLED;
  turn.onStarted(startedAt);
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
    timeoutMs: deps.timeoutMs,
    signal: AbortSignal.any([stop, cancel]),
    limit,
  }).finally(session.close);
  const left = end.kind === "alive" ? {} : await keepArtifacts(turn, deps);
  // What a harness reads for its answer has been stored when it came.
  const isPlain = program.output === "text" && end.kind === "exited" && end.code === 0;
  const ending = endingOf(end, deps.timeoutMs, session.failure() || lastWords.reason());
  return endingWith({ ending, left, output: isPlain ? lastWords.answer() : "" }, turn, deps);
}

/** What is spawned for the agent: the words of its harness, and what that adds to the environment. */
function agentLaunch(turn: StartableTurn, isLive: boolean, deps: ExecuteDeps): Launch {
  const { run, program, secrets, workspace, runToken, pushToken, key } = turn;
  const hasMcpServers = deps.sandbox.reachesApi || Object.keys(mcpFile(run.config).mcpServers).length > 0;
  return launchOf(turnCommand(program, { run, isLive, hasMcpServers }), turn, deps.sandbox, {
    ...harnessEnvironment(program, secrets, key),
    ...agentEnvironment({ run, workspace, apiUrl: deps.apiUrl(), runToken, pushToken }, secrets),
  });
}

function goesWithout(secret: string): string {
  return `the secret ${secret} is not set in this turn: no secret with this name is available to the agent`;
}
