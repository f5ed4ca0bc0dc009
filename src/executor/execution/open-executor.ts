import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { errorMessage } from "../../errors/error.ts";
import { createMirrorCache } from "../../git/mirrors/mirror-cache.ts";
import { newUid } from "../../id.ts";
import type { Log } from "../../log.ts";
import { proxyVariables } from "../../platform/proxies.ts";
import { FENCE_AT } from "../../runs/turn/turn-signals.ts";
import { createFileWorker, type FileWorker } from "../files/file-worker.ts";
import { createHarnesses } from "../harness/harness.ts";
import { endAllNoted } from "../sandbox/first-process.ts";
import { removeRegistryAuths } from "../sandbox/registry-auth.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { openAgentSupervisor } from "../supervisor/agent-supervisor.ts";
import { openSnapshots, type Snapshots } from "../workspace/snapshots.ts";
import { createUsageWatch } from "../workspace/usage-watch.ts";
import { openWorkspaces } from "../workspace/workspaces.ts";
import { endLeftTurn, type LeftTurn, leftTurn } from "./left-turn.ts";

/** Where an executor keeps what is its own. */
export interface ExecutorFolders {
  /** For its user alone. */
  path: string;
  git: string;
  workspaces: string;
  artifacts: string;
  registryAuths: string;
  firstProcesses: string;
}

interface ExecutorOptions {
  /** What it is known by; one that takes up what another has left is known by the uid of that. */
  uid?: string;
  config: Config;
  folders: ExecutorFolders;
  sandbox: Sandbox;
  log: Log;
  now: () => Date;
}

/**
 * Puts together what turns are executed with: harnesses, the process that starts agents, workspaces, mirrors. Agents that an
 * earlier executor has left in these folders may go on. All other processes of it are ended first, in whatever sandbox they were
 * started: this one may be another.
 */
export async function openExecutor({ config, folders, sandbox, log, now, ...options }: ExecutorOptions) {
  const harnesses = createHarnesses(config);
  const workspaces = openWorkspaces(folders.workspaces);
  const mirrors = createMirrorCache(folders.git, config.mirrorLimit);
  const uid = options.uid ?? newUid();
  const host = await openAgentSupervisor({ log, folder: folders.path, uid });
  const left: LeftTurn[] = [];
  for (const turn of host.left.map(leftTurn)) {
    if (turn.sandbox === sandbox.mode) left.push(turn);
    else await endLeftTurn(turn, { sandbox, host });
  }
  const files = createFileWorker(log);
  const usage = createUsageWatch({ bytes: config.workspaceQuota, files: config.workspaceFiles }, files);
  const { artifacts, registryAuths } = folders;
  const snapshots = await snapshotsIn(folders, { config, sandbox, files, log, now });
  await endAllNoted(folders.firstProcesses, new Set(left.map(({ program }) => program.runId)));
  await removeRegistryAuths(registryAuths);
  return {
    harnesses,
    workspaces,
    mirrors,
    host,
    files,
    usage,
    snapshots,
    sandbox,
    artifacts,
    registryAuths,
    log,
    now,
    environment: process.env,
    authorityFile: process.env.NODE_EXTRA_CA_CERTS,
    proxies: proxyVariables(process.env),
    aloneMs: FENCE_AT * config.workerLease,
    /** Turns whose agents go on. Each has to be continued, or ended. */
    left,
    /** Ends the processes that it has started for itself. */
    stop: [() => host.stop(), files.stop],
  };
}

/** On the volume of the workspaces, so that files can share their blocks with those of a snapshot. */
async function snapshotsIn(
  { path, workspaces }: Pick<ExecutorFolders, "path" | "workspaces">,
  {
    config,
    sandbox,
    ...deps
  }: Pick<ExecutorOptions, "config" | "sandbox" | "log" | "now"> & { files: FileWorker },
): Promise<Snapshots | undefined> {
  const inData = workspaces === join(path, "workspaces");
  const folder = inData ? join(path, "snapshots") : join(workspaces, "snapshots");
  const { setupSnapshots: mostBytes, diskReserve } = config;
  const snapshots = await openSnapshots({
    ...deps,
    folder,
    mostBytes,
    freeBytes: 2 * diskReserve,
    isWithinReach: !sandbox.sharesObjects,
  });
  void snapshots
    .sweep()
    .catch((error) =>
      deps.log.warn({ error: errorMessage(error) }, "snapshots of environments could not be cleared away"),
    );
  return mostBytes === 0 ? undefined : snapshots;
}

export type Executor = Awaited<ReturnType<typeof openExecutor>>;
