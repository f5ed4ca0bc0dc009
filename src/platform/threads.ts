import { type ChildProcess, type ForkOptions, fork, spawn } from "node:child_process";
import { createRequire } from "node:module";
import sea from "node:sea";
import { fileURLToPath } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { assetPath } from "./assets.ts";

/** Programs that run on a thread of their own, by their places in the build. */
const THREADS = {
  store: "store/thread.js",
  replay: "plans/replay-thread.js",
  load: "definitions/loading/load-thread.js",
  match: "ingress/matching/match-thread.js",
  answer: "runs/answers/answer-thread.js",
} as const;

export type ThreadName = keyof typeof THREADS;

/** What a binary is started with to be the host of agents, by the server alone. */
export const AGENT_SUPERVISOR = "agent-supervisor";
/** What a binary is started with to work on the files of runs, by the server alone. */
export const FILE_WORKER = "file-worker";

/** Starts a thread of the program. A binary carries what it runs as text. */
export function startThread(thread: ThreadName, options: WorkerOptions): Worker {
  if (!sea.isSea()) return new Worker(new URL(THREADS[thread], placeOfBuild()), options);
  return new Worker(sea.getAsset(`${thread}-thread.cjs`, "utf8"), { ...options, eval: true });
}

/**
 * Starts the supervisor of agents as a process that does not end with this one. It talks over its descriptor 3. A binary
 * starts itself.
 * @param env its whole environment
 */
export function spawnAgentSupervisor(
  env: Record<string, string>,
  program = new URL("executor/supervisor/supervisor-main.js", placeOfBuild()),
): ChildProcess {
  const args = sea.isSea() ? [AGENT_SUPERVISOR] : [fileURLToPath(program)];
  return spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe", "pipe"], detached: true });
}

/** Starts the process that works on the files of runs. A binary starts itself. */
export function forkFileWorker(
  options: ForkOptions,
  program = new URL("executor/files/file-worker-main.js", placeOfBuild()),
): ChildProcess {
  return fork(sea.isSea() ? FILE_WORKER : program, [], options);
}

function placeOfBuild(): string {
  return sea.isSea() ? `file://${process.execPath}` : new URL("..", import.meta.url).href;
}

/** The addon of SQLite, where it is not found by its package: it is a library, and has to be a file. */
export function sqliteAddon(): object | undefined {
  if (!sea.isSea()) return undefined;
  return createRequire(process.execPath)(assetPath("better_sqlite3.node"));
}
