import type { Config } from "../config/config.ts";
import { hostWith } from "../definitions/runner-host.ts";
import { errorMessage } from "../errors/error.ts";
import { continueTurn, type ExecuteDeps, executeTurn, finishTurn } from "../executor/execution/execute.ts";
import { endLeftTurn, type LeftTurn } from "../executor/execution/left-turn.ts";
import { openExecutor } from "../executor/execution/open-executor.ts";
import { endLostRun } from "../executor/sandbox/process-tree.ts";
import type { Sandbox } from "../executor/sandbox/sandbox.ts";
import type { AgentSupervisor } from "../executor/supervisor/agent-supervisor.ts";
import { type DiskRoom, watchDiskRoom } from "../executor/workspace/disk-room.ts";
import { removeOneEnded } from "../executor/workspace/remove-ended.ts";
import type { ServerForges } from "../forge/forge.ts";
import type { GitAccess } from "../git/git-environment.ts";
import { mirrorName } from "../git/repository.ts";
import { openCloneServer } from "../git/serve/clone-server.ts";
import { createRefreshes } from "../git/serve/refreshes.ts";
import { priceTable } from "../insight/prices.ts";
import type { Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";
import { createLiveQuestions, sharedQuestions } from "../runs/agents/live-questions.ts";
import { createAnswerChecker } from "../runs/answers/answer-checker.ts";
import type { RunCaps } from "../runs/caps.ts";
import { endLeftOver, type LeaseDeps, type SharedLeases, startHeartbeat } from "../runs/lease.ts";
import { nodeId } from "../runs/node-id.ts";
import { createRunMasks, sharedMasks } from "../runs/output/run-masks.ts";
import { createQueue, type Queue } from "../runs/queue.ts";
import type { Claim, Run } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";
import { patienceWith } from "../runs/turn/await-store.ts";
import { localDoor } from "../runs/turn/local-door.ts";
import { needsDeps } from "../runs/turn/needs.ts";
import { type OpenTurnDeps, openDoor, openTurn } from "../runs/turn/open-turn.ts";
import type { TurnDoor } from "../runs/turn/turn-door.ts";
import { type RunSignals, watchHold } from "../runs/turn/turn-signals.ts";
import type { TurnMeter } from "../runs/turn-meter.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { Vault } from "../secrets/vault.ts";
import { type SettingAccess, workerEnvironmentOf } from "../sources/setting-scopes.ts";
import type { DataFolder } from "../store/data-folder.ts";
import type { OpenStore } from "../store/open-store.ts";
import { createHeldTurns } from "../workers/held-turns.ts";
import { listPresent } from "../workers/server-presence.ts";
import { uploadedFiles } from "../workers/uploaded-files.ts";
import { createWorkerTurns, type WorkerTurns } from "../workers/worker-turns.ts";
import type { Workers } from "../workers/workers.ts";
import { volumesOf } from "./measure-disk.ts";
import type { KeptArtifacts } from "./open-storage.ts";
import type { Stops } from "./stops.ts";

interface ExecutorDeps {
  config: Config;
  data: DataFolder;
  store: OpenStore;
  artifacts: KeptArtifacts;
  /** Whether other servers have the same store. */
  sharesStore: boolean;
  sealer: Sealer;
  sandbox: Sandbox;
  vault: Vault;
  forges: ServerForges<GitAccess>;
  access: SettingAccess;
  meter: TurnMeter;
  log: Log;
  now: () => Date;
  /** By which leases are judged. */
  leaseNow: () => Date;
}

/** What decides which runs are claimed, and where agents reach the server. */
interface QueueDeps {
  caps: () => RunCaps;
  apiUrl: () => string;
  registry: Workers;
  /** Hears that runs may wait for a provider from now on. */
  onHold(): void;
}

/**
 * Puts together what executes runs: harnesses, the sandbox, the process that starts agents, workspaces. What an earlier server
 * has left of its runs, and cannot go on, is ended here, before anything can be claimed: a run that this process claims must not
 * be taken for one that the last one lost.
 */
export async function createExecutor(
  {
    config,
    data,
    store,
    artifacts,
    sandbox,
    vault,
    forges,
    access,
    meter,
    log,
    now,
    leaseNow,
    ...deps
  }: ExecutorDeps,
  stops: Stops,
) {
  const { sharesStore, sealer } = deps;
  const { stop, left, ...executor } = await openExecutor({
    config,
    folders: data,
    sandbox,
    log,
    now,
    ...(sharesStore ? { uid: await nodeId(data.path) } : {}),
  });
  const { harnesses, workspaces, mirrors, files, usage } = executor;
  let room: DiskRoom | undefined;
  stops.push(...stop, () => room?.stop());
  const clones = await openCloneServer(data.git);
  const masks = sharesStore ? sharedMasks(store.runMasks, sealer) : createRunMasks();
  const answers = createAnswerChecker();
  stops.push(answers.stop);
  const ofHere = createLiveQuestions();
  const questions = sharesStore ? sharedQuestions(ofHere, store.runs) : ofHere;
  const endRemains = (runId: string) => endLostRun(runId, sandbox);
  const leases: LeaseDeps = { store: store.runs, endRemains, now, leaseNow };
  const worker = executor.host.uid;
  const ofBefore = await findTurnsOfBefore(left, { store: store.runs, sandbox, host: executor.host });
  const goOn = new Set(ofBefore.map(({ run }) => run.id));
  await endLeftOver(leases, goOn, sharesStore ? worker : undefined);
  let shared: SharedLeases | undefined;
  return {
    hasHarness: harnesses.has,
    host: hostWith(sandbox),
    /** What this server is known by where it executes runs, and how many at once. */
    node: { uid: worker, concurrency: config.workers === "local" ? config.runConcurrency : 0 },
    workspaces,
    masks,
    answers,
    questions,
    /** What is cleared away beside the store. */
    onDisk: (factories: Factories) => ({
      artifacts: artifacts.swept,
      git: data.git,
      factories: data.factories,
      mirrors,
      files,
      isServed: isServedBy(factories),
    }),
    createQueue(factories: Factories, { caps, apiUrl, registry, onHold }: QueueDeps) {
      const turns = {
        store: store.runs,
        transcripts: store.transcripts,
        vault,
        forges,
        mirrors,
        ...needsDeps(factories, store.environments, forges, config.network),
        questions,
        masks,
        answers,
        meter,
        onHold,
        prices: priceTable(config.prices),
        log,
        now,
        budgets: () => caps().budgets,
        mayUseWorkerEnvironment: workerEnvironmentOf(access),
        usesImages: sandbox.mode === "container",
        timeoutMs: config.runTimeout,
        setupTimeoutMs: Math.min(config.setupTimeout, config.runTimeout),
      };
      const isExecuting = config.workers === "local";
      const hasRoom = () => room?.isThere() ?? true;
      const local = createQueue({
        store: store.runs,
        worker,
        leaseMs: sharesStore ? config.workerLease : undefined,
        onHeld: (runId, forMs) => executor.host.hold(runId, forMs),
        concurrency: config.runConcurrency,
        caps,
        isExecuting,
        listServers: sharesStore ? () => listPresent(store.servers, now()) : undefined,
        connectedWorkers: registry.connected,
        returnWaitMs: config.workerReturnWait,
        hasRoom,
        execute: (claim, signals) =>
          executeHere(claim, { turns, execution: { ...executor, apiUrl }, artifacts }, signals),
        log,
        now,
        leaseNow,
      });
      const continueTurns = () => {
        for (const { turn, run } of ofBefore.splice(0)) {
          log.info({ run: run.id, turn: run.turn }, "the agent went on while the server was away");
          local.resume(turn.assignment, (_, signals) =>
            continueHere(turn, { turns, execution: { ...executor, apiUrl }, artifacts }, signals),
          );
          // Also when that was asked for while this server started.
          void store.runs.find(run.id).then(
            (stored) => stored?.cancelRequestedAt != null && local.cancel(run.id),
            (error) => log.error({ run: run.id, error: errorMessage(error) }, "a run could not be read"),
          );
        }
      };
      const uploads = uploadedFiles(artifacts.kept, hasRoom);
      const held = createHeldTurns({ store: store.runs, turns, masks, uploads, leaseNow });
      const workerTurns = createWorkerTurns({
        workers: registry,
        store: store.runs,
        held,
        turns,
        caps,
        log,
        now,
        leaseNow,
        leaseMs: config.workerLease,
        returnWaitMs: config.workerReturnWait,
        isServerExecuting: isExecuting,
      });
      leases.onLosing = workerTurns.losing;
      if (sharesStore)
        shared = { leaseMs: config.workerLease, executing: local.executing, onHeld: local.held };
      const door = {
        registry,
        held,
        workerTurns,
        clones,
        refreshes: createRefreshes(),
        uploads,
      };
      return { queue: withWorkers(local, workerTurns), door, continueTurns };
    },
    /** Watches the free space of the disk from now on. */
    watchRoom(onRoom: () => void) {
      const { diskReserve: reserveBytes } = config;
      const makeRoom = async () => {
        if (await executor.snapshots?.removeOldest())
          return log.warn("a snapshot of an environment was removed: the disk is nearly full");
        const run = await removeOneEnded({ store: store.runs, workspaces, now });
        if (run !== undefined)
          log.warn({ run }, "the workspace of an ended run was removed: the disk is nearly full");
      };
      room = watchDiskRoom({ volumes: volumesOf(data), reserveBytes, files, usage, makeRoom, onRoom, log });
    },
    /** Looks at the disk, which is full. */
    lookAtDisk: () => void room?.look(),
    /** Says that this worker is alive from now on. @returns what ends it */
    startHeartbeat: () => startHeartbeat({ worker, log, leases, shared }),
  };
}

export interface ExecuteHereDeps {
  /** The server's side of a turn. */
  turns: OpenTurnDeps;
  /** The executor's side, which knows nothing of the other. */
  execution: ExecuteDeps;
  /** Where the files of its agent are kept. */
  artifacts: KeptArtifacts;
}

/** Executes a claimed turn in this process, through the door that workers elsewhere use. */
export async function executeHere(claim: Claim, deps: ExecuteHereDeps, signals: RunSignals): Promise<void> {
  const { turns, execution } = deps;
  const { held, doorHere, end } = holdTurn(claim.run, deps, signals);
  try {
    const stop = AbortSignal.any([held.stop, held.lost]);
    const { door, ...turn } = await openTurn(claim, turns, { stop, cancel: held.cancel });
    if ("assignment" in turn) await executeTurn(turn.assignment, doorHere(door), execution, held);
    else if (turn.ending) await finishTurn(claim.run.id, turn.ending, door, execution.log, held.stop);
  } finally {
    end();
  }
}

/** Goes on in this process with a turn that an earlier one has left. */
async function continueHere(left: LeftTurn, deps: ExecuteHereDeps, signals: RunSignals): Promise<void> {
  const { assignment } = left;
  const { held, doorHere, end } = holdTurn(assignment.run, deps, signals);
  try {
    await continueTurn(left, doorHere(openDoor(assignment, deps.turns)), deps.execution, held);
  } finally {
    end();
  }
}

/** What a turn is executed with in this process for as long as it is this server's: a store that is away is waited for so long. */
function holdTurn(run: Run, { execution, artifacts }: ExecuteHereDeps, signals: RunSignals) {
  const { lost, end } = watchHold(signals.heldForMs);
  const patience = patienceWith(run, execution.log, signals.stop, signals.cancel, lost);
  const doorHere = (door: TurnDoor) => localDoor(door, run.id, artifacts, patience);
  return { held: { ...signals, lost }, doorHere, end };
}

export interface LeftTurnsDeps {
  store: Pick<RunStore, "findHeld">;
  sandbox: Pick<Sandbox, "endLeftBehind">;
  host: Pick<AgentSupervisor, "uid" | "end">;
}

/** A turn that goes on, and its run as the store has it now. */
export interface TurnOfBefore {
  turn: LeftTurn;
  run: Run;
}

/** Nobody else takes the runs of a data folder that has one server at a time: whether a lease is over does not count. */
const ANY_TIME = new Date(0).toISOString();

/**
 * Finds out which of the turns that an earlier server has left this one goes on with: those that the store still has as its. The
 * agents of the others are ended.
 */
async function findTurnsOfBefore(
  left: readonly LeftTurn[],
  { store, sandbox, host }: LeftTurnsDeps,
): Promise<TurnOfBefore[]> {
  const found: TurnOfBefore[] = [];
  for (const turn of left) {
    const { run, ticket } = turn.assignment;
    const held = await store.findHeld({ id: run.id, ticket }, host.uid, ANY_TIME);
    if (held) found.push({ turn, run: held });
    else await endLeftTurn(turn, { sandbox, host });
  }
  return found;
}

/** @returns whether the mirror of a name is that of a factory's repository */
function isServedBy(factories: Pick<Factories, "list">): (name: string) => boolean {
  return (name) =>
    factories.list().some(({ record: { source } }) => "url" in source && mirrorName(source) === name);
}

/** One queue for the runs that execute here and for those of workers elsewhere: what concerns a run is told to both. */
function withWorkers(local: Queue, workers: WorkerTurns): Queue & Pick<WorkerTurns, "lookForNews"> {
  return {
    ...local,
    wake() {
      local.wake();
      workers.wake();
    },
    notify(runId) {
      local.notify(runId);
      workers.lookForNews();
    },
    cancel(runId) {
      local.cancel(runId);
      workers.cancel(runId);
    },
    lookForNews: workers.lookForNews,
    async whyWaiting(runId, within) {
      const place = await local.whyWaiting(runId, within);
      const starter = workers.starterOf(runId);
      return place && (starter ? { ...place, starter } : place);
    },
  };
}
