import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { formatBytes } from "../config/values.ts";
import { newUid } from "../id.ts";
import { killTagged } from "../platform/processes.ts";
import { SourceError } from "./revision.ts";

export interface RemoteLimits {
  signal?: AbortSignal | undefined;
  /** However busy it looks, git is ended when it has talked to a remote for this long. */
  timeLimitMs?: number | undefined;
  /** What the mirror may take of the disk; 0 for any size. */
  mostBytes?: number | undefined;
}

/** The variable by which the processes of one question are found. */
const ROUND = "MILLRACE_GIT_ROUND";
/** A first copy of a large repository over a slow line takes a while; a host that sends for ever takes longer. */
const TIME_LIMIT_MS = 60 * 60_000;

/**
 * Talks to a remote with git, and leaves nothing behind when that fails: an aborted git does not end the helper that
 * waits for the remote, nor remove the pack that it was writing.
 * @param environment git's own; its `GIT_DIR` is the mirror
 * @throws SourceError `GIT_UNREACHABLE` when it takes too long, `GIT_REFUSED` when the mirror becomes too large
 */
export async function withRemoteLimits<Result>(
  environment: Record<string, string>,
  { signal, timeLimitMs = TIME_LIMIT_MS, mostBytes = 0 }: RemoteLimits,
  ask: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const round = newUid();
  environment[ROUND] = round;
  const late = AbortSignal.timeout(timeLimitMs);
  const mirror = environment.GIT_DIR ?? "";
  const begunAt = Date.now();
  const size = watchSize(mirror, mostBytes);
  try {
    const result = await ask(AbortSignal.any([late, size.tooLarge, ...(signal ? [signal] : [])]));
    await size.look();
    size.tooLarge.throwIfAborted();
    return result;
  } catch (error) {
    await killTagged(ROUND, round);
    await removeOldPacks(
      mirror,
      size.tooLarge.aborted ? Date.now() - begunAt : timeLimitMs,
      size.tooLarge.aborted,
    );
    if (size.tooLarge.aborted && !signal?.aborted) throw tooLarge(mostBytes);
    if (!late.aborted || signal?.aborted) throw error;
    const minutes = Math.ceil(timeLimitMs / 60_000);
    throw new SourceError(
      "GIT_UNREACHABLE",
      `git did not finish reading the repository within ${minutes} minutes and was stopped: check the response of its host.`,
    );
  } finally {
    size.end();
  }
}

const SIZE_LOOK_MS = 500;

/** Aborts when a mirror has become larger than it may. All that a fetch brings lies in packs. */
function watchSize(mirror: string, mostBytes: number) {
  const watching = new AbortController();
  const look = async () => {
    if (mostBytes > 0 && (await packBytes(mirror)) > mostBytes) watching.abort();
  };
  const timer = mostBytes > 0 ? setInterval(() => void look(), SIZE_LOOK_MS) : undefined;
  return { tooLarge: watching.signal, look, end: () => clearInterval(timer) };
}

async function packBytes(mirror: string): Promise<number> {
  const folder = join(mirror, "objects", "pack");
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
}

function tooLarge(mostBytes: number): SourceError {
  return new SourceError(
    "GIT_REFUSED",
    `The mirror of the repository exceeds ${formatBytes(mostBytes)} (MILLRACE_MIRROR_LIMIT): raise the limit, or make the repository smaller.`,
  );
}

/** Packs that were never finished. Somebody else's may be growing beside them, so age decides. */
async function removeOldPacks(mirror: string, ageMs: number, isYounger = false): Promise<void> {
  const folder = join(mirror, "objects", "pack");
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.startsWith("tmp_"))) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    const isOld = found !== undefined && found.mtimeMs < Date.now() - ageMs;
    if (found && isOld !== isYounger) await rm(join(folder, name), { force: true });
  }
}
