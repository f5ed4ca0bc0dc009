import { setTimeout as sleep } from "node:timers/promises";
import { formatBytes } from "../../config/values.ts";
import type { Usage } from "../files/count-usage.ts";
import type { FileWorker } from "../files/file-worker.ts";
import type { LeftUsage } from "./workspaces.ts";

const EVERY_MS = 2_000;
/** Counting takes at most this part of the time, however many files there are. */
const REST_FACTOR = 10;
/** When room has to be made at once, counts that are not there by then are replaced by the last ones. */
const HEAVIEST_WITHIN_MS = 1_000;
/**
 * An agent that moves folders in the meantime can have a count come to nothing, so a turn whose counts fail does not go
 * on.
 */
const MAX_FAILED_COUNTS = 3;

/** What a workspace may take of the disk; 0 for no limit. */
export interface WorkspaceLimits {
  bytes: number;
  files: number;
}

/** A turn that writes into a workspace. */
export interface WatchedTurn {
  runId: string;
  folder: string;
  /** Ends the turn, with a message that says why. */
  end(message: string): void;
}

/** Counts what turns take of the disk while they are prepared and work, and ends those that take too much. */
export interface UsageWatch {
  watch(turn: WatchedTurn): TurnWatch;
  /**
   * Ends the turn that takes most; one that cannot be counted is taken for it. @returns its run, or nothing when there
   * is no turn
   */
  endHeaviest(by: "bytes" | "files", message: (usage: Usage) => string): Promise<string | undefined>;
}

/** The watch of one turn. */
export interface TurnWatch {
  /** Counts once more, and ends the turn if it takes too much: an agent may have written all of it just before its end. */
  look(): Promise<void>;
  /** Ends the watch. @returns what was counted last, if anything was */
  end(): LeftUsage | undefined;
}

interface Watched {
  turn: WatchedTurn;
  usage: Usage;
  /** Whether the last count has failed, or found less than there is. */
  isUncertain: boolean;
  isEnded: boolean;
  signal: AbortSignal;
}

const NOTHING_YET: Usage = { bytes: 0, files: 0, unlinkedBytes: 0 };

export function createUsageWatch(limits: WorkspaceLimits, files: Pick<FileWorker, "run">): UsageWatch {
  const watched = new Set<Watched>();

  /** @returns how long the worker has worked for it */
  async function count(each: Watched, signal: AbortSignal): Promise<number> {
    const { folder, runId } = each.turn;
    try {
      const { result, spentMs } = await files.run("count", { folder, runId, limits }, signal);
      each.isUncertain = result.isPartial === true;
      each.usage = result;
      return spentMs;
    } catch (error) {
      if (!signal.aborted) each.isUncertain = true;
      throw error;
    }
  }

  async function follow(each: Watched): Promise<void> {
    const { signal } = each;
    let rest = EVERY_MS;
    let failed = 0;
    while (!signal.aborted) {
      await sleep(rest, undefined, { signal, ref: false });
      // What cannot be counted now, for example because the worker has ended, is counted the next time.
      const spentMs = await count(each, signal).catch(() => 0);
      if (signal.aborted) return;
      failed = each.isUncertain ? failed + 1 : 0;
      const message =
        overLimit(each.usage, limits) ?? (failed >= MAX_FAILED_COUNTS ? unmeasured(limits) : undefined);
      if (message !== undefined) return end(each, message);
      rest = Math.max(EVERY_MS, spentMs * REST_FACTOR);
    }
  }

  function end(each: Watched, message: string): void {
    each.isEnded = true;
    each.turn.end(message);
  }

  return {
    watch(turn) {
      const watching = new AbortController();
      const each: Watched = {
        turn,
        usage: NOTHING_YET,
        isUncertain: false,
        isEnded: false,
        signal: watching.signal,
      };
      watched.add(each);
      follow(each).catch(() => {});
      return {
        async look() {
          if (each.isEnded || (limits.bytes === 0 && limits.files === 0)) return;
          await count(each, each.signal).catch(() => {});
          const message = overLimit(each.usage, limits);
          if (message !== undefined && !each.isEnded) end(each, message);
        },
        end() {
          watching.abort();
          watched.delete(each);
          if (each.usage === NOTHING_YET) return undefined;
          return { ...each.usage, isPartial: each.isUncertain, isOver: each.isEnded };
        },
      };
    },
    async endHeaviest(by, message) {
      const candidates = [...watched].filter(({ isEnded }) => !isEnded);
      const inTime = AbortSignal.timeout(HEAVIEST_WITHIN_MS);
      await Promise.allSettled(candidates.map((each) => count(each, AbortSignal.any([inTime, each.signal]))));
      const [heaviest] = candidates
        .filter((each) => watched.has(each) && !each.isEnded)
        .sort(
          (one, other) =>
            Number(other.isUncertain) - Number(one.isUncertain) || other.usage[by] - one.usage[by],
        );
      if (heaviest) end(heaviest, message(heaviest.usage));
      return heaviest?.turn.runId;
    },
  };
}

/** Without limits, what a workspace takes is only noted. */
function unmeasured(limits: WorkspaceLimits): string | undefined {
  if (limits.bytes === 0 && limits.files === 0) return undefined;
  return (
    `The run was stopped: measuring its workspace failed ${MAX_FAILED_COUNTS} times in a row, so its limits could not be enforced ` +
    "(MILLRACE_WORKSPACE_QUOTA, MILLRACE_WORKSPACE_FILES). The agent must not move folders that are nested more than a hundred levels deep."
  );
}

function overLimit({ bytes, files, unlinkedBytes }: Usage, limits: WorkspaceLimits): string | undefined {
  if (limits.bytes > 0 && bytes > limits.bytes) {
    const unlinked =
      unlinkedBytes > 0
        ? `, including ${formatBytes(unlinkedBytes)} in deleted files that are still open`
        : "";
    return (
      `The run was stopped: its workspace has grown to ${formatBytes(bytes)}${unlinked}, ` +
      `and the limit is ${formatBytes(limits.bytes)} (MILLRACE_WORKSPACE_QUOTA).`
    );
  }
  if (limits.files === 0 || files <= limits.files) return undefined;
  return `The run was stopped: its workspace has more than ${limits.files} files and folders, which is the limit (MILLRACE_WORKSPACE_FILES).`;
}
