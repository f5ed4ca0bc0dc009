import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { newUid } from "../id.ts";
import { killMarked } from "../marked-processes.ts";
import { SourceError } from "./revision.ts";

export interface RemoteLimits {
  signal?: AbortSignal | undefined;
  /** However busy it looks, git is ended when it has talked to a remote for this long. */
  timeLimitMs?: number | undefined;
}

/** The variable by which the processes of one question are found. */
const ROUND = "MILLRACE_GIT_ROUND";
/** A first copy of a large repository over a slow line takes a while; a host that sends for ever takes longer. */
const TIME_LIMIT_MS = 60 * 60_000;

/**
 * Talks to a remote with git, and leaves nothing behind when that fails: an aborted git does not end the helper that
 * waits for the remote, nor remove the pack that it was writing.
 * @param environment git's own; its `GIT_DIR` is the mirror
 * @throws SourceError `GIT_UNREACHABLE` when it takes too long
 */
export async function askRemote<Result>(
  environment: Record<string, string>,
  { signal, timeLimitMs = TIME_LIMIT_MS }: RemoteLimits,
  ask: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const round = newUid();
  environment[ROUND] = round;
  const late = AbortSignal.timeout(timeLimitMs);
  try {
    return await ask(signal ? AbortSignal.any([signal, late]) : late);
  } catch (error) {
    await killMarked(ROUND, round);
    await removeOldPacks(environment.GIT_DIR ?? "", timeLimitMs);
    if (!late.aborted || signal?.aborted) throw error;
    const minutes = Math.ceil(timeLimitMs / 60_000);
    throw new SourceError(
      "GIT_UNREACHABLE",
      `git had not read the repository after ${minutes} minutes and was ended: check what its host sends.`,
    );
  }
}

/** Packs that were never finished. Somebody else's may be growing beside them, so age decides. */
async function removeOldPacks(mirror: string, ageMs: number): Promise<void> {
  const folder = join(mirror, "objects", "pack");
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith("tmp_"))) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - ageMs) await rm(join(folder, name), { force: true });
  }
}
