import type { Config } from "../config/config.ts";
import { hostWith } from "../definitions/runner-host.ts";
import type { ServerForges } from "../forge/forge.ts";
import type { GitAccess } from "../git/git-environment.ts";
import { createMirrorCache } from "../git/mirrors/mirror-cache.ts";
import { newUid } from "../id.ts";
import type { Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";
import { createLiveQuestions } from "../runs/agents/live-questions.ts";
import type { RunCaps } from "../runs/caps.ts";
import { removeRegistryAuths } from "../runs/execution/registry-auth.ts";
import { createFileWorker } from "../runs/files/file-worker.ts";
import { createHarnesses } from "../runs/harness/harness.ts";
import { endLeftOver, startHeartbeat } from "../runs/lease.ts";
import { createRunMasks } from "../runs/output/run-masks.ts";
import { createQueue } from "../runs/queue.ts";
import type { ConnectedWorker } from "../runs/rules/placement.ts";
import { endAllNoted } from "../runs/sandbox/first-process.ts";
import type { Sandbox } from "../runs/sandbox/sandbox.ts";
import { startAgentSupervisor } from "../runs/supervisor/agent-supervisor.ts";
import type { TurnMeter } from "../runs/turn-meter.ts";
import { needsDeps } from "../runs/turns/needs.ts";
import { type DiskRoom, watchDiskRoom } from "../runs/workspace/disk-room.ts";
import { removeOneEnded } from "../runs/workspace/remove-ended.ts";
import { createUsageWatch } from "../runs/workspace/usage-watch.ts";
import { openWorkspaces } from "../runs/workspace/workspaces.ts";
import type { Vault } from "../secrets/vault.ts";
import { type SettingAccess, workerEnvironmentOf } from "../sources/setting-scopes.ts";
import type { DataFolder } from "../store/data-folder.ts";
import type { OpenStore } from "../store/open-store.ts";
import { executeHere } from "./execute-here.ts";
import { isServedBy } from "./served-mirrors.ts";
import type { Stops } from "./stops.ts";
import { volumesOf } from "./volumes.ts";

interface ExecutorDeps {
  config: Config;
  data: DataFolder;
  store: OpenStore;
  sandbox: Sandbox;
  vault: Vault;
  forges: ServerForges<GitAccess>;
  access: SettingAccess;
  meter: TurnMeter;
  log: Log;
  now: () => Date;
}

/** What decides which runs are claimed, and where agents reach the server. */
interface QueueDeps {
  caps: () => RunCaps;
  apiUrl: () => string;
  connectedWorkers: () => readonly ConnectedWorker[];
}

/**
 * Puts together what executes runs: harnesses, the sandbox, the process that starts agents, workspaces. What an earlier server
 * has left of its runs is ended here, before anything can be claimed: a run that this process claims must not be taken for
 * one that the last one lost.
 */
export async function createExecutor(
  { config, data, store, sandbox, vault, forges, access, meter, log, now }: ExecutorDeps,
  stops: Stops,
) {
  const harnesses = createHarnesses(config);
  const workspaces = openWorkspaces(data.workspaces);
  const mirrors = createMirrorCache(data.git, config.mirrorLimit);
  const host = startAgentSupervisor(log);
  const files = createFileWorker(log);
  const usage = createUsageWatch({ bytes: config.workspaceQuota, files: config.workspaceFiles }, files);
  let room: DiskRoom | undefined;
  stops.push(host.stop, files.stop, () => room?.stop());
  const worker = newUid();
  const masks = createRunMasks();
  const questions = createLiveQuestions();
  const leases = { store: store.runs, sandbox, now };
  // In whatever sandbox they were started: this server may have another one.
  await endAllNoted(data.firstProcesses);
  await endLeftOver(leases);
  await removeRegistryAuths(data.registryAuths);
  return {
    hasHarness: harnesses.has,
    host: hostWith(sandbox.mode),
    workspaces,
    masks,
    questions,
    /** What is cleared away beside the store. */
    onDisk: (factories: Factories) => ({
      artifacts: data.artifacts,
      git: data.git,
      mirrors,
      files,
      isServed: isServedBy(factories),
    }),
    createQueue(factories: Factories, { caps, apiUrl, connectedWorkers }: QueueDeps) {
      const execution = {
        ...{ harnesses, environment: process.env, sandbox, host, files, workspaces, usage, mirrors },
        ...{ artifacts: data.artifacts, registryAuths: data.registryAuths, apiUrl, log, now },
      };
      const turns = {
        ...{ store: store.runs, transcripts: store.transcripts, vault, forges, mirrors },
        ...{ questions, masks, meter, log, now },
        ...needsDeps(factories, store.environments, forges),
        mayUseWorkerEnvironment: workerEnvironmentOf(access),
        usesImages: sandbox.mode === "container",
        timeoutMs: config.runTimeout,
      };
      return createQueue({
        store: store.runs,
        worker,
        concurrency: config.runConcurrency,
        caps,
        isExecuting: config.workers === "local",
        connectedWorkers,
        hasRoom: () => room?.isThere() ?? true,
        execute: (claim, signals) => executeHere(claim, { turns, execution }, signals),
        log,
        now,
      });
    },
    /** Watches the free space of the disk from now on. */
    watchRoom(onRoom: () => void) {
      const { diskReserve: reserveBytes } = config;
      const makeRoom = async () => {
        const run = await removeOneEnded({ store: store.runs, workspaces, now });
        if (run !== undefined)
          log.warn({ run }, "the workspace of an ended run was removed: the disk is nearly full");
      };
      room = watchDiskRoom({ volumes: volumesOf(data), reserveBytes, files, usage, makeRoom, onRoom, log });
    },
    /** Looks at the disk, which is full. */
    lookAtDisk: () => void room?.look(),
    /** Says that this worker is alive from now on. @returns what ends it */
    startHeartbeat: () => startHeartbeat(worker, log, leases),
  };
}
