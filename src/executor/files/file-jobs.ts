import { type CountOptions, countUsage, type Usage } from "./count-usage.ts";
import { type HandOverOptions, handOverTree } from "./hand-over-tree.ts";
import { type KeepOptions, type KeptFiles, keepArtifacts } from "./keep-artifacts.ts";
import { makeReserve, type ReserveOptions } from "./make-reserve.ts";

/** What the file worker can do, by name: each a job in many small steps. */
export const FILE_JOBS = {
  /** Counts what a run takes of the disk. */
  count: (options: CountOptions): Generator<void, Usage> => countUsage(options),
  /** Gives a folder to the user of a run. */
  chownWorkspace: (options: HandOverOptions): Generator<void, void> => handOverTree(options),
  /** Copies what an agent has left in a folder. */
  keepArtifacts: (options: KeepOptions): Generator<void, KeptFiles> => keepArtifacts(options),
  /** Reserves disk space for the store. */
  reserve: (options: ReserveOptions): Generator<void, void> => makeReserve(options),
} as const;

export type FileJobs = typeof FILE_JOBS;
export type FileJob = keyof FileJobs;
export type JobOptions<Job extends FileJob> = Parameters<FileJobs[Job]>[0];
export type JobResult<Job extends FileJob> =
  ReturnType<FileJobs[Job]> extends Generator<void, infer Result> ? Result : never;

/** What the server asks of its file worker; `id` tells one job from another. */
export type ToFileWorker =
  | { ask: "begin"; id: number; job: FileJob; options: unknown }
  /** No one waits for the job any more. */
  | { ask: "drop"; id: number };

/** How a job ended; `spentMs` is the time that the worker has worked for it. */
export type FromFileWorker =
  | { id: number; spentMs: number; result: unknown }
  | { id: number; spentMs: number; failure: string };
