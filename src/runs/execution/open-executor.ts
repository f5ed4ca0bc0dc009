import type { Config } from "../../config/config.ts";
import { createMirrorCache } from "../../git/mirrors/mirror-cache.ts";
import type { Log } from "../../log.ts";
import { createFileWorker } from "../files/file-worker.ts";
import { createHarnesses } from "../harness/harness.ts";
import { endAllNoted } from "../sandbox/first-process.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { startAgentSupervisor } from "../supervisor/agent-supervisor.ts";
import { createUsageWatch } from "../workspace/usage-watch.ts";
import { openWorkspaces } from "../workspace/workspaces.ts";
import { removeRegistryAuths } from "./registry-auth.ts";

/** Where an executor keeps what is its own. */
export interface ExecutorFolders {
  git: string;
  workspaces: string;
  artifacts: string;
  registryAuths: string;
  firstProcesses: string;
}

interface ExecutorOptions {
  config: Config;
  folders: ExecutorFolders;
  sandbox: Sandbox;
  log: Log;
  now: () => Date;
}

/**
 * Puts together what turns are executed with: harnesses, the process that starts agents, workspaces, mirrors. Processes that an
 * earlier executor has left in these folders are ended first, in whatever sandbox they were started: this one may be another.
 */
export async function openExecutor({ config, folders, sandbox, log, now }: ExecutorOptions) {
  const harnesses = createHarnesses(config);
  const workspaces = openWorkspaces(folders.workspaces);
  const mirrors = createMirrorCache(folders.git, config.mirrorLimit);
  const host = startAgentSupervisor(log);
  const files = createFileWorker(log);
  const usage = createUsageWatch({ bytes: config.workspaceQuota, files: config.workspaceFiles }, files);
  const { artifacts, registryAuths } = folders;
  await endAllNoted(folders.firstProcesses);
  await removeRegistryAuths(registryAuths);
  return {
    ...{ harnesses, workspaces, mirrors, host, files, usage, sandbox, artifacts, registryAuths, log, now },
    environment: process.env,
    /** Ends the processes that it has started for itself. */
    stop: [host.stop, files.stop],
  };
}

export type Executor = Awaited<ReturnType<typeof openExecutor>>;
