import type { ChildProcess } from "node:child_process";
import type { Log } from "../../log.ts";
import { forkFileWorker } from "../../platform/threads.ts";
import type { FileJob, FromFileWorker, JobOptions, JobResult, ToFileWorker } from "./file-jobs.ts";

/** Reads and changes the folders of runs in a process of its own. */
export interface FileWorker {
  /**
   * Does a job. Jobs take turns, so a small one does not wait for a large one.
   * @throws Error that says why the job could not be done, or the signal's reason
   */
  run<Job extends FileJob>(
    job: Job,
    options: JobOptions<Job>,
    signal?: AbortSignal,
  ): Promise<{ result: JobResult<Job>; spentMs: number }>;
  /** Ends the process, and every job with it. */
  stop(): Promise<void>;
}

interface Waiting {
  resolve(value: { result: never; spentMs: number }): void;
  reject(error: unknown): void;
}

const ENDED = "The file worker exited.";

/** Starts the file worker with its first job, and again when it has ended; the jobs that it had then have failed. */
export function createFileWorker(log: Log, program?: URL): FileWorker {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let child: ChildProcess | undefined;
  let isStopping = false;

  function open(): ChildProcess {
    // Nothing of the server's environment is the worker's.
    const opened = forkFileWorker(
      { env: {}, serialization: "advanced", stdio: ["ignore", "ignore", "pipe", "ipc"] },
      program,
    );
    opened.on("message", (message: FromFileWorker) => {
      const caller = waiting.get(message.id);
      waiting.delete(message.id);
      if ("failure" in message) caller?.reject(new Error(message.failure));
      else caller?.resolve({ result: message.result as never, spentMs: message.spentMs });
    });
    opened.stderr?.on("data", (said: Buffer) =>
      log.error({ said: said.toString("utf8") }, "the file worker wrote to standard error"),
    );
    const onEnd = (why: object) => {
      if (child !== opened) return;
      child = undefined;
      if (!isStopping) log.error(why, "the file worker exited, and its jobs failed");
      for (const { reject } of waiting.values()) reject(new Error(ENDED));
      waiting.clear();
    };
    opened.on("error", (error) => onEnd({ error: error.message }));
    opened.once("exit", (code, signal) => onEnd({ code, signal }));
    return opened;
  }

  return {
    run(job, options, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (isStopping) return reject(new Error(ENDED));
        last += 1;
        const id = last;
        child ??= open();
        const onAbort = () => {
          waiting.delete(id);
          child?.send({ ask: "drop", id } satisfies ToFileWorker, () => {});
          reject(signal?.reason);
        };
        const settled = () => signal?.removeEventListener("abort", onAbort);
        waiting.set(id, {
          resolve: (value) => {
            settled();
            resolve(value);
          },
          reject: (error) => {
            settled();
            reject(error);
          },
        });
        signal?.addEventListener("abort", onAbort, { once: true });
        child.send({ ask: "begin", id, job, options } satisfies ToFileWorker, () => {});
      });
    },
    async stop() {
      isStopping = true;
      const ending = child;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
      const exited = new Promise((resolve) => ending.once("exit", resolve));
      ending.kill("SIGKILL");
      await exited;
    },
  };
}
