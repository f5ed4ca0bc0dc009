import { join } from "node:path";
import type { FileWorker } from "../files/file-worker.ts";
import { endedRuns, type RemoveEndedParts } from "./remove-ended.ts";
import { findUsage } from "./workspace-usage.ts";
import type { Workspaces } from "./workspaces.ts";

export interface DiskTotalParts extends RemoveEndedParts {
  workspaces: Pick<Workspaces, "folder" | "list" | "remove">;
  files: Pick<FileWorker, "run">;
  /** Where mirrors of repositories are. */
  git: string;
  /** What workspaces and mirrors may take together, in bytes; 0 for any size. */
  mostBytes: number;
  /** Removes mirrors of repositories that no run needs now. */
  removeMirrors(signal?: AbortSignal): Promise<void>;
}

/** Removes workspaces of ended runs, and then mirrors, until workspaces and mirrors take no more than they may. */
export async function keepDiskTotal(parts: DiskTotalParts, signal?: AbortSignal): Promise<void> {
  const { workspaces, files, git, mostBytes } = parts;
  if (mostBytes === 0) return;
  const sizes = new Map<string, number>();
  for (const runId of await workspaces.list()) sizes.set(runId, await sizeOf(runId, parts, signal));
  const ofMirrors = await bytesIn(git, files, signal);
  let total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, ofMirrors);
  if (total <= mostBytes) return;
  for await (const runId of endedRuns(parts)) {
    if (total <= mostBytes || signal?.aborted) return;
    if (await workspaces.remove(runId, signal)) total -= sizes.get(runId) ?? 0;
  }
  if (total > mostBytes) await parts.removeMirrors(signal);
}

/** As its last turn has left it, or as it is now where that was not noted. */
async function sizeOf(
  runId: string,
  { workspaces, files }: DiskTotalParts,
  signal: AbortSignal | undefined,
): Promise<number> {
  const path = join(workspaces.folder, runId);
  return (await findUsage(path))?.bytes ?? bytesIn(path, files, signal);
}

async function bytesIn(
  folder: string,
  files: Pick<FileWorker, "run">,
  signal?: AbortSignal,
): Promise<number> {
  const { result } = await files.run("count", { folder }, signal);
  return result.bytes;
}
