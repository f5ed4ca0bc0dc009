import { resolve } from "node:path";
import { MillraceError } from "../../../errors/error.ts";
import { newUid } from "../../../id.ts";
import { STARTS_ELSEWHERE } from "../../../runs/rules/placement.ts";
import { openDataFolder } from "../../../store/data-folder.ts";
import { requireServerUrl } from "../../../workers/server-url.ts";
import { findProgram } from "../../sandbox/find-program.ts";
import { createDoorClient } from "../door-client.ts";
import { type RunningWorker, type WorkerOptions, workerFacts } from "../start-worker.ts";
import { createBackendProgram } from "./backend-program.ts";
import { dispatch } from "./dispatch.ts";
import { openStoredJobs } from "./job.ts";
import { JOB_TIMES, type JobTimes } from "./tend-job.ts";

export type DispatcherOptions = Omit<WorkerOptions, "isOnce" | "only"> & { times?: JobTimes };

/** Starts a worker that executes nothing itself: a program of its operator has turns executed on other machines. */
export async function startDispatcher(options: DispatcherOptions): Promise<RunningWorker> {
  const { config, server, token, labels, concurrency, log, times = JOB_TIMES } = options;
  requireServerUrl(server);
  const command = await programOf(config.sandboxCommand);
  const data = await openDataFolder(resolve(options.dataDir));
  const jobs = await openStoredJobs(data.path, log);
  const client = createDoorClient({
    server,
    token,
    process: `${options.name}-${newUid()}`,
    onReachable: () => log.info({ server }, "connected to the server"),
    onUnreachable: (reason) => log.warn({ server, reason }, "the server cannot be reached"),
  });
  const stopping = new AbortController();
  const aborting = new AbortController();
  const facts = workerFacts({ labels, concurrency, sandbox: STARTS_ELSEWHERE });
  const done = dispatch({
    client,
    jobs,
    server,
    labels,
    times,
    log,
    stop: stopping.signal,
    abort: aborting.signal,
    program: createBackendProgram(command),
    // What this machine is says nothing of those that are made for runs.
    facts: { ...facts, platform: null, shape: null },
  }).finally(data.release);
  return {
    done: done.then(() => undefined),
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => aborting.abort(), config.drainTimeout);
      await done.catch(() => {});
      clearTimeout(timer);
    },
  };
}

async function programOf(command: readonly string[] | undefined): Promise<readonly string[]> {
  const [program = "", ...words] = command ?? [];
  if (program === "") {
    throw new MillraceError(
      "invalid_request",
      "MILLRACE_SANDBOX is command, but MILLRACE_SANDBOX_COMMAND is not set.",
      {
        remedy: "Set it to the program that starts runs on other machines (docs/how-to/worker-backends.md).",
      },
    );
  }
  const path = await findProgram(program);
  if (path !== undefined) return [path, ...words];
  throw new MillraceError(
    "invalid_request",
    `The program ${JSON.stringify(program)} of MILLRACE_SANDBOX_COMMAND was not found, or is not executable by this user.`,
    { remedy: "Specify a program in the PATH of the worker, or the path of an executable file." },
  );
}
