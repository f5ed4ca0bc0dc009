import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { Ending, Run } from "../../runs/run.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import { TurnGivenUp } from "../../runs/turn/await-store.ts";
import { CANCELLED, couldNotExecute, setupFailed } from "../../runs/turn/ending.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";
import type { RunSignals } from "../../runs/turn/turn-signals.ts";
import { keyOf } from "../harness/guarded-key.ts";
import type { Harnesses } from "../harness/harness.ts";
import { networkLog } from "../network/network-log.ts";
import { nameModels } from "../output/model-usage.ts";
import { OUTPUT_FULL, openTranscript } from "../output/transcript-writer.ts";
import { type RegistryAuth, writeRegistryAuth } from "../sandbox/registry-auth.ts";
import type { UsageWatch } from "../workspace/usage-watch.ts";
import type { Workspaces } from "../workspace/workspaces.ts";
import { budgetWatch } from "./budget-watch.ts";
import { endLeftTurn, type LeftTurn } from "./left-turn.ts";
import { type BegunTurn, prepareTurn } from "./prepare-turn.ts";
import { type AgentDeps, type AgentTurn, startAgent, takeUpAgent } from "./run-agent.ts";

/** What a turn is executed with: all of it is the executor's own, and nothing the server's. */
export interface ExecuteDeps extends AgentDeps {
  harnesses: Harnesses;
  /** Where keys of programs are that the definition leaves to the executor. */
  environment: Readonly<Record<string, string | undefined>>;
  workspaces: Workspaces;
  usage: Pick<UsageWatch, "watch">;
  /** Where credentials of registries lie for as long as an engine may need them. */
  registryAuths: string;
  log: Log;
  now: () => Date;
}

/** The agent of a turn, once there is one: its supervisor lets go of it when the end of the turn is stored. */
type Remains = { agent?: { forget(): void } };

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
  const remains: Remains = {};
  const ending = await runTurn(assignment, door, deps, signals, remains).catch(endingOfFailure(signals));
  await endTurn({ run: assignment.run, ending, remains }, door, deps, signals);
}

/** Takes up a turn whose agent has gone on without the executor that has started it, and carries it out to its end. */
export async function continueTurn(
  left: LeftTurn,
  door: TurnDoor,
  deps: ExecuteDeps,
  signals: RunSignals,
): Promise<void> {
  const { assignment, hidden, row: program } = left;
  const { run } = assignment;
  const remains: Remains = {};
  const turn = { assignment, run, door, program, key: undefined, hidden, from: left };
  const takeUp = (begun: AgentTurn) => takeUpAgent(begun, left, deps, signals, onAgent(remains));
  const ending = await withTurn(turn, deps, takeUp).catch(endingOfFailure(signals));
  // Of a turn that has ended nothing may go on.
  if (!remains.agent) await endLeftTurn(left, deps);
  await endTurn({ run, ending, remains }, door, deps, signals);
}

/** What it means for a turn that something was thrown; nothing for one that is somebody else's, or that the next server takes up. */
function endingOfFailure({ cancel }: RunSignals): (error: unknown) => Ending | undefined {
  return (error) => {
    if (!(error instanceof TurnGivenUp)) return couldNotExecute(error);
    return cancel.aborted ? CANCELLED : undefined;
  };
}

async function endTurn(
  { run, ending, remains }: { run: Run; ending: Ending | undefined; remains: Remains },
  door: TurnDoor,
  { log }: Pick<ExecuteDeps, "log">,
  { stop }: Pick<RunSignals, "stop">,
): Promise<void> {
  const isStored = !ending || (await finishTurn(run.id, ending, door, log, stop));
  // The next executor stores what this one could not.
  if (isStored) remains.agent?.forget();
}

async function runTurn(
  assignment: Assignment,
  door: TurnDoor,
  deps: ExecuteDeps,
  signals: RunSignals,
  remains: Remains,
): Promise<Ending | undefined> {
  const { run } = assignment;
  const program = deps.harnesses.find(run.execution.harness);
  if ("missing" in program) return setupFailed(program.missing);
  const unheld = assignment.network && deps.sandbox.unheldNetwork;
  if (unheld !== undefined) return setupFailed(cannotHold(unheld, assignment));
  const key = keyOf(assignment.key, program, deps.environment);
  const hidden = key === undefined ? assignment.hidden : [...assignment.hidden, key];
  const { stop, lost } = signals;
  const ofPreparation = lost ? { ...signals, stop: AbortSignal.any([stop, lost]) } : signals;
  return withTurn({ assignment, run, door, program, key, hidden }, deps, async (turn) => {
    const ready = await prepareTurn(turn, deps, ofPreparation);
    if (!ready || "state" in ready) return ready;
    if (lost?.aborted) return undefined;
    return startAgent({ ...turn, ...ready }, deps, signals, onAgent(remains));
  });
}

/** A run whose network nothing limits goes through the proxy for the secrets that are injected. */
function cannotHold(why: string, { network }: Pick<Assignment, "network">): string {
  const [what, instead] =
    network?.allow.length === 0
      ? ["its secrets cannot be injected as millrace: inject: says", "grant them under secrets:"]
      : ["its network cannot be limited as millrace: network: says", "set network: all"];
  return (
    `The run was not started, because ${what}: ${why}. ` +
    `Fix this on the machine that executes the run (docs/isolation.md), or ${instead}.`
  );
}

function onAgent(remains: Remains): (agent: { forget(): void }) => void {
  return (agent) => {
    remains.agent = agent;
  };
}

const ESTIMATED =
  "The tokens of this turn are partly an estimate from the size of requests and answers: an answer of a model did not say how many it took, or was not read to its end.";

type Beginning = Omit<
  BegunTurn,
  "taken" | "transcript" | "budget" | "networkLog" | "limit" | "registryAuth"
> & {
  /** Where a turn goes on that was begun before. */
  from?: LeftTurn;
};

/** Opens what a turn needs on this machine, and closes it after the turn. */
async function withTurn(
  { from, ...beginning }: Beginning,
  deps: ExecuteDeps,
  carryOut: (turn: AgentTurn) => Promise<Ending | undefined>,
): Promise<Ending | undefined> {
  const { assignment, run, door, program, hidden } = beginning;
  const limit = new AbortController();
  const cutOff = (reason: string) => limit.abort(reason);
  const transcript = openTranscript({
    append: door.append,
    turn: run.turn,
    lastSeq: assignment.lastSeq,
    ...(from
      ? { from: from.checkpoint?.position ?? from.position }
      : program.output === "text"
        ? {}
        : { earlierEvents: await door.findEventSize() }),
    now: deps.now,
    onFull: () => cutOff(OUTPUT_FULL),
    onError: (error) =>
      deps.log.error({ run: run.id, error: errorMessage(error) }, "output could not be stored"),
  });
  const budget = budgetWatch(transcript, cutOff);
  let isEstimateSaid = false;
  const network = networkLog({
    earlier: from?.setupNetwork,
    keepReaches: door.keepReaches,
    async keepUsage(usage) {
      if (!isEstimateSaid && usage.some(({ isEstimate }) => isEstimate)) {
        isEstimateSaid = true;
        transcript.note(ESTIMATED);
      }
      budget.look(await door.keepUsage(nameModels(usage, run.execution.harness), "proxy"));
    },
    onError: (error) =>
      deps.log.error(
        { run: run.id, error: errorMessage(error) },
        "what the network proxy of a run has seen could not be stored",
      ),
  });
  if (!from) for (const note of assignment.notes) transcript.note(note);
  const taken = await deps.workspaces.take(
    run.id,
    !from && (run.startedAt === null || assignment.isElsewhere),
  );
  const watch = deps.usage.watch({ runId: run.id, folder: taken.path, end: cutOff });
  let auth: RegistryAuth | undefined;
  try {
    if (assignment.registryAuths && !from)
      auth = await writeRegistryAuth(assignment.registryAuths, { folder: deps.registryAuths, runId: run.id });
    await door.hide(hidden);
    return await carryOut({
      ...beginning,
      taken,
      transcript,
      cutOff,
      budget,
      networkLog: network,
      lookAtUsage: watch.look,
      // Programs keep their sessions in the workspace.
      run: taken.isPrepared ? run : { ...run, harnessSession: null },
      registryAuth: auth?.folder,
      limit: limit.signal,
    });
  } finally {
    const usage = watch.end();
    if (usage) await taken.noteUsage(usage).catch(() => {});
    const removeAuth = () => auth?.remove();
    budget.stop();
    await network.ended();
    await transcript.end().finally(removeAuth).finally(taken.release);
  }
}

const RETRY_MS = 1_000;

/**
 * Tells how a turn ended. A run whose end cannot be stored now (a full disk) would be in progress for ever, so this is tried
 * until it works.
 * @returns whether it was stored: a process that ends does not wait for that
 */
export async function finishTurn(
  runId: string,
  ending: Ending,
  door: Pick<TurnDoor, "finish">,
  log: Log,
  stop: AbortSignal,
): Promise<boolean> {
  for (;;) {
    try {
      await door.finish(ending);
      return true;
    } catch (error) {
      log.error({ run: runId, error: errorMessage(error) }, "the outcome of a run could not be stored");
      if (stop.aborted) return false;
      await sleep(RETRY_MS);
    }
  }
}
