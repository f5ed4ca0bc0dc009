import { statSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { DiskMetrics } from "../api/admin/metrics.ts";
import { wakeable } from "../concurrency/rounds.ts";
import { errorMessage, systemCode } from "../errors/error.ts";
import type { FileWorker } from "../executor/files/file-worker.ts";
import type { Volume } from "../executor/workspace/disk-room.ts";
import type { Log } from "../log.ts";
import type { DataFolder } from "../store/data-folder.ts";
import { transcriptsBeside } from "../store/runs/transcript-file.ts";

const EVERY_MS = 60_000;
/** To count a million files takes a while, so that is done in every tenth round. */
const ROUNDS_PER_COUNT = 10;

interface MeasureDeps {
  data: DataFolder;
  files: Pick<FileWorker, "run">;
  metrics: DiskMetrics;
  log: Log;
}

/** Measures the disk now and every minute, and what the server has stored there now and every ten. @returns what ends that */
export function measureDisk({ data, files, metrics, log }: MeasureDeps): () => Promise<void> {
  const stopping = new AbortController();
  const volumes = volumesOf(data);
  let round = 0;
  const rounds = wakeable({
    async round() {
      for (const { folder } of volumes) {
        const { bavail, blocks, bsize } = await statfs(folder);
        metrics.volume(folder, { free: bavail * bsize, size: blocks * bsize });
      }
      if (round % ROUNDS_PER_COUNT === 0) metrics.stored(await countStored(data, files, stopping.signal));
      round += 1;
      return EVERY_MS;
    },
    onError(error) {
      if (!stopping.signal.aborted)
        log.warn({ error: errorMessage(error) }, "the disk could not be measured");
      return EVERY_MS;
    },
  });
  rounds.wake();
  return () => {
    stopping.abort();
    return rounds.stop();
  };
}

async function countStored(
  { database, workspaces, artifacts, git, factories }: DataFolder,
  files: Pick<FileWorker, "run">,
  signal: AbortSignal,
) {
  const count = async (folder: string, also: string[] = []) =>
    (await isThere(folder)) ? (await files.run("count", { folder, also }, signal)).result.bytes : 0;
  return {
    database: await databaseBytes(database),
    workspaces: await count(workspaces),
    artifacts: await count(artifacts),
    repositories: await count(git, (await isThere(factories)) ? [factories] : []),
  };
}

/** The files of SQLite: two databases, and what each has written since its last checkpoint. */
async function databaseBytes(database: string): Promise<number> {
  let bytes = 0;
  for (const file of [database, transcriptsBeside(database)]) {
    for (const ending of ["", "-wal", "-shm"]) bytes += (await statIfThere(file + ending))?.size ?? 0;
  }
  return bytes;
}

async function isThere(path: string): Promise<boolean> {
  return (await statIfThere(path)) !== undefined;
}

async function statIfThere(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

interface Folders {
  path: string;
  database: string;
  reserve: string;
  workspaces: string;
}

/** The file systems that a server and its runs write to, each once. */
export function volumesOf({ path, database, reserve, workspaces }: Folders): Volume[] {
  const ofDatabase: Volume = { folder: dirname(database), hasWorkspaces: false, reserve };
  const ofData: Volume = { folder: path, hasWorkspaces: dirname(workspaces) === path };
  const all = ofData.hasWorkspaces
    ? [ofDatabase, ofData]
    : [ofDatabase, ofData, { folder: workspaces, hasWorkspaces: true }];
  const byDevice = new Map<number, Volume>();
  for (const volume of all) {
    const { dev } = statSync(volume.folder);
    const known = byDevice.get(dev);
    byDevice.set(
      dev,
      known ? { ...known, hasWorkspaces: known.hasWorkspaces || volume.hasWorkspaces } : volume,
    );
  }
  return [...byDevice.values()];
}
