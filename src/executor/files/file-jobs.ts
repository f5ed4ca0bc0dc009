import { spawnSync } from "node:child_process";
import { randomFillSync } from "node:crypto";
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type CountOptions, countUsage, type Usage } from "./count-usage.ts";
import type { FileWorker } from "./file-worker.ts";
import { type KeepOptions, type KeptFiles, keepArtifacts } from "./keep-artifacts.ts";
import { findLockFiles, type LockFilesOptions } from "./lock-files.ts";
import {
  type RestoredFiles,
  type RestoreFilesOptions,
  restoreFiles,
  type TakeFilesOptions,
  type TakenFiles,
  takeFiles,
} from "./snapshot-files.ts";
import { walkTree } from "./walk-tree.ts";

/** What the file worker can do, by name: each a job in many small steps. */
export const FILE_JOBS = {
  /** Counts what a run takes of the disk. */
  count: (options: CountOptions): Generator<void, Usage> => countUsage(options),
  /** Gives a folder to the user of a run. */
  chownWorkspace: (options: HandOverOptions): Generator<void, void> => handOverTree(options),
  /** Copies what an agent has left in a folder. */
  keepArtifacts: (options: KeepOptions): Generator<void, KeptFiles> => keepArtifacts(options),
  /** Copies what setup commands have made of a workspace. */
  takeSnapshot: (options: TakeFilesOptions): Generator<void, TakenFiles> => takeFiles(options),
  /** Makes the same of another workspace. */
  restoreSnapshot: (options: RestoreFilesOptions): Generator<void, RestoredFiles> => restoreFiles(options),
  /** Finds the lock files of package managers. */
  findLockFiles: (options: LockFilesOptions): Generator<void, Record<string, string>> =>
    findLockFiles(options),
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

/** Does jobs in this process, for folders that are known to be small. */
export const runHere: Pick<FileWorker, "run"> = {
  async run(job, options) {
    const begun = performance.now();
    const make = FILE_JOBS[job] as (given: unknown) => Generator<void, never>;
    const steps = make(options);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return { result: value, spentMs: performance.now() - begun };
    }
  },
};

interface HandOverOptions {
  folder: string;
  uid: number;
  gid: number;
}

/**
 * Gives a folder and all in it to a user. Symbolic links are not followed. A file with several names keeps its owner: its
 * other names may lie elsewhere, and what is there does not belong to the run.
 */
function* handOverTree({ folder, uid, gid }: HandOverOptions): Generator<void, void> {
  handOverTop(folder, uid, gid);
  yield* walkTree(folder, {
    visit({ at, stat }) {
      const isShared = !stat.isDirectory() && stat.nlink > 1;
      if (stat.uid !== uid && !isShared) lchownSync(at, uid, gid);
    },
  });
}

function handOverTop(folder: string, uid: number, gid: number): void {
  if (lstatSync(folder).uid === uid) return;
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (fstatSync(handle).uid !== uid) fchownSync(handle, uid, gid);
  } finally {
    closeSync(handle);
  }
}

interface ReserveOptions {
  /** Where it is; it is complete when it is there. */
  folder: string;
  bytes: number;
  /** Empty files, each of which takes what a file system needs for one. */
  files: number;
}

const PIECE_BYTES = 1024 * 1024;
const BLOCK_BYTES = 512;

/** Takes disk space that can be given back at once when the disk is full. */
function* makeReserve({ folder, bytes, files }: ReserveOptions): Generator<void, void> {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft, { mode: 0o700 });
    yield* takeSpace(join(draft, "space"), bytes);
    for (let number = 0; number < files; number += 1) {
      closeSync(openSync(join(draft, `file-${number}`), "wx", 0o600));
      yield;
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

function* takeSpace(file: string, bytes: number): Generator<void, void> {
  closeSync(openSync(file, "wx", 0o600));
  spawnSync("fallocate", ["--length", String(bytes), file], { env: { PATH: PATHS }, stdio: "ignore" });
  const { blocks } = statSync(file);
  if (blocks * BLOCK_BYTES >= bytes) return;
  // Not every file system can do that. Random bytes take their space also where others would be compressed.
  const piece = randomFillSync(Buffer.alloc(PIECE_BYTES));
  const open = openSync(file, "w", 0o600);
  try {
    for (let written = 0; written < bytes; written += piece.length) {
      randomFillSync(piece, 0, BLOCK_BYTES);
      writeSync(open, piece);
      yield;
    }
  } finally {
    closeSync(open);
  }
}

const PATHS = "/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin";
