import { readFile, rename, writeFile } from "node:fs/promises";
import { arch, availableParallelism, platform, totalmem } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { isUid, newUid } from "../../id.ts";
import type { Log } from "../../log.ts";
import { programVersion } from "../../platform/version.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import { openDataFolder } from "../../store/data-folder.ts";
import { assignmentFromWire } from "../../workers/protocol/assignment-wire.ts";
import { DOOR_PATH } from "../../workers/protocol/messages.ts";
import { requireServerUrl } from "../../workers/server-url.ts";
import type { ProcessFacts } from "../../workers/worker.ts";
import { continueTurn, executeTurn } from "../execution/execute.ts";
import { endLeftTurn } from "../execution/left-turn.ts";
import { openExecutor } from "../execution/open-executor.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import { endLostRun } from "../sandbox/process-tree.ts";
import { watchDiskRoom } from "../workspace/disk-room.ts";
import { removeOneEnded } from "../workspace/remove-ended.ts";
import { findUsage, type Workspaces } from "../workspace/workspaces.ts";
import { createDoorClient } from "./door-client.ts";
import { type RemoteDoor, remoteDoor } from "./remote-door.ts";
import { createTurnsHere, type TurnEnds } from "./turns-here.ts";
import { type OnlyRun, work } from "./work.ts";

export interface WorkerOptions {
  config: Config;
  /** Where the server is, without a slash at its end. */
  server: string;
  token: string;
  /** What this process is called among those that use the token. */
  name: string;
  labels: string[];
  concurrency: number;
  dataDir: string;
  /** Takes one turn, and then ends. */
  isOnce: boolean;
  /** The only run that it takes. */
  only?: OnlyRun;
  log: Log;
}

export interface RunningWorker {
  /**
   * Resolves when the worker has drained, and with a sentence when the only run was not executed; rejects when the server does
   * not know the worker.
   */
  done: Promise<string | undefined>;
  /** Takes no more turns, waits for those that execute, and ends what still does after the drain time. */
  stop(): Promise<void>;
}

const SWEEP_MS = 60 * 60_000;

/** Starts a worker: it dials the server, executes the turns that it is given, and needs nothing else of it. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { config, server, token, labels, isOnce, only, log } = options;
  const concurrency = isOnce ? 1 : options.concurrency;
  requireServerUrl(server);
  const now = () => new Date();
  const data = await openDataFolder(resolve(options.dataDir));
  const dataFolder = await dataFolderId(data.path);
  const sandbox = await openSandbox(config, data, log);
  const {
    stop: stopExecutor,
    left,
    ...executor
  } = await openExecutor({
    // The uid of the process, by which the server knows it. One that takes up the agents of an earlier process is known as that.
    uid: `${options.name}-${newUid()}`,
    // A folder that is used once needs none.
    config: isOnce ? { ...config, setupSnapshots: 0 } : config,
    folders: data,
    sandbox,
    log,
    now,
  });
  const { workspaces, host } = executor;
  const goesOn = new Set(left.map(({ program }) => program.runId));
  for (const runId of await workspaces.list()) if (!goesOn.has(runId)) await endLostRun(runId, sandbox);
  const sweep = setInterval(() => void sweepWorkspaces(workspaces, now).catch(() => {}), SWEEP_MS);
  sweep.unref();
  const room = watchDiskRoom({
    volumes: [{ folder: data.path, hasWorkspaces: true }],
    reserveBytes: config.diskReserve,
    files: executor.files,
    usage: executor.usage,
    onRoom: () => {},
    log,
    async makeRoom() {
      if (await executor.snapshots?.removeOldest()) return;
      // Those in which turns are at work are not removed.
      const store = { listDisposable: async (runIds: readonly string[]) => [...runIds] };
      await removeOneEnded({ store, workspaces, now });
    },
  });

  const client = createDoorClient({
    server,
    token,
    process: host.uid,
    onReachable: () => log.info({ server }, "connected to the server"),
    onUnreachable: (reason) => log.warn({ server, reason }, "the server cannot be reached"),
  });
  const draining = new AbortController();
  const stopping = new AbortController();
  // Alone, agents go on for as long as their turns are held: the beats have said for how long that is.
  const execution = { ...executor, apiUrl: () => server, aloneMs: Number.POSITIVE_INFINITY };
  async function throughDoor(
    { run, ticket, hidden }: Assignment,
    { ends, isStarted }: { ends: TurnEnds; isStarted: boolean },
    carryOut: (door: RemoteDoor) => Promise<void>,
  ): Promise<void> {
    const door = remoteDoor({
      client,
      turn: { id: run.id, ticket },
      artifacts: data.artifacts,
      hidden,
      isStarted,
      over: ends.over,
      onLost: ends.lose,
      onForgotten: ends.onForgotten,
      onBroken(call, reason) {
        log.error({ run: run.id, call, reason }, "the server could not carry out a call; the turn is ended");
        ends.fail();
      },
    });
    await carryOut(door);
    await door.finishBroken();
  }
  const turns = createTurnsHere({
    execute: (turn, ends) =>
      throughDoor(turn, { ends, isStarted: false }, (door) => executeTurn(turn, door, execution, ends)),
    proceed: (turn, ends) =>
      throughDoor(turn.assignment, { ends, isStarted: true }, (door) =>
        continueTurn(turn, door, execution, ends),
      ),
    onHeld: (runId, forMs) => host.hold(runId, forMs),
    stop: stopping.signal,
    log,
  });
  for (const turn of left) {
    if (turn.apiUrl !== server) {
      await endLeftTurn(turn, { sandbox, host });
      continue;
    }
    log.info({ run: turn.program.runId }, "the agent went on while the worker was away");
    turns.resume(turn);
  }
  const access = { token: async () => token };
  const done = work({
    client,
    turns,
    isOnce,
    draining: draining.signal,
    log,
    ...(only ? { only } : {}),
    facts: workerFacts({ labels, concurrency, sandbox: sandbox.mode, dataFolder }),
    hasRoom: room.isThere,
    read: (wire) =>
      assignmentFromWire(wire, (forge, { owner, name }) => ({
        url: `${server}/api/v1${DOOR_PATH}/git/${encodeURIComponent(forge)}/${owner}/${name}.git`,
        access,
      })),
  }).finally(async () => {
    clearInterval(sweep);
    room.stop();
    for (const end of stopExecutor) await end();
    data.release();
  });
  return {
    done,
    async stop() {
      draining.abort();
      const timer = setTimeout(() => stopping.abort(), config.drainTimeout);
      await done.catch(() => {});
      clearTimeout(timer);
    },
  };
}

const FILE = "worker-id";

/**
 * The id of a worker's data folder: a later turn of a run goes to the process that has the folder with its workspace, also after
 * a restart. Called while the folder is locked.
 */
export async function dataFolderId(folder: string): Promise<string> {
  const path = join(folder, FILE);
  const known = await readFile(path, "utf8").catch(() => "");
  if (isUid(known.trim())) return known.trim();
  const id = newUid();
  const fresh = `${path}.new`;
  await writeFile(fresh, `${id}\n`, { mode: 0o600 });
  await rename(fresh, path);
  return id;
}

/** How long the workspace of a turn that has ended waits for the next turn of its run. */
const KEEP_MS = 24 * 60 * 60_000;

/** Removes workspaces in which no turn has ended for a day: a later turn of such a run starts in a new one. */
export async function sweepWorkspaces(
  workspaces: Pick<Workspaces, "folder" | "list" | "remove">,
  now: () => Date,
): Promise<void> {
  for (const runId of await workspaces.list()) {
    const usage = await findUsage(join(workspaces.folder, runId));
    if (usage && usage.endedAtMs < now().getTime() - KEEP_MS) await workspaces.remove(runId);
  }
}

/** Names of platforms and processors as runners have them in definitions. */
const OS: Readonly<Record<string, string>> = { darwin: "macos", win32: "windows" };
const ARCH: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };
const GIB = 1024 ** 3;

/** What this process tells the server of itself. */
export function workerFacts(
  own: Pick<ProcessFacts, "labels" | "sandbox" | "dataFolder" | "concurrency">,
): Omit<ProcessFacts, "executing"> {
  return {
    ...own,
    limitsNetwork: true,
    version: programVersion(),
    platform: { os: OS[platform()] ?? platform(), arch: ARCH[arch()] ?? arch() },
    shape: { vcpus: availableParallelism(), memoryGb: Math.max(1, Math.round(totalmem() / GIB)) },
  };
}
