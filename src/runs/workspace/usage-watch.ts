import { setTimeout as sleep } from "node:timers/promises";
import { formatBytes } from "../../config/values.ts";
import type { Usage } from "../files/count-usage.ts";
import type { FileWorker } from "../files/file-worker.ts";
import type { LeftUsage } from "./workspace-usage.ts";

const EVERY_MS = 2_000;
/** Counting takes at most this part of the time, however many files there are. */
const REST_FACTOR = 10;
/** When room has to be made at once, counts that are not there by then are replaced by the last ones. */
const HEAVIEST_WITHIN_MS = 1_000;

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
  /** @returns what ends the watch, with what was counted last, if anything was */
  watch(turn: WatchedTurn): () => LeftUsage | undefined;
  /** Ends the turn that takes most. @returns its run, or nothing when there is no turn */
  endHeaviest(by: "bytes" | "files", message: (usage: Usage) => string): Promise<string | undefined>;
}

interface Watched {
  turn: WatchedTurn;
  usage: Usage;
  isEnded: boolean;
  signal: AbortSignal;
}

const NOTHING_YET: Usage = { bytes: 0, files: 0, unlinkedBytes: 0 };

export function createUsageWatch(limits: WorkspaceLimits, files: Pick<FileWorker, "run">): UsageWatch {
  const watched = new Set<Watched>();

  /** @returns how long the worker has worked for it */
  async function count(each: Watched, signal: AbortSignal): Promise<number> {
    const { folder, runId } = each.turn;
    const { result, spentMs } = await files.run("count", { folder, runId, limits }, signal);
    each.usage = result;
    return spentMs;
  }

  async function follow(each: Watched): Promise<void> {
    const { signal } = each;
    let rest = EVERY_MS;
    while (!signal.aborted) {
      await sleep(rest, undefined, { signal, ref: false });
      // What cannot be counted now, because the worker has ended or a folder was moved, is counted the next time.
      const spentMs = await count(each, signal).catch(() => 0);
      if (signal.aborted) return;
      const message = overLimit(each.usage, limits);
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
      const each: Watched = { turn, usage: NOTHING_YET, isEnded: false, signal: watching.signal };
      watched.add(each);
      follow(each).catch(() => {});
      return () => {
        watching.abort();
        watched.delete(each);
        return each.usage === NOTHING_YET ? undefined : { ...each.usage, isOver: each.isEnded };
      };
    },
    async endHeaviest(by, message) {
      const candidates = [...watched].filter(({ isEnded }) => !isEnded);
      const inTime = AbortSignal.timeout(HEAVIEST_WITHIN_MS);
      await Promise.allSettled(candidates.map((each) => count(each, AbortSignal.any([inTime, each.signal]))));
      const [heaviest] = candidates
        .filter((each) => watched.has(each) && !each.isEnded)
        .sort((one, other) => other.usage[by] - one.usage[by]);
      if (heaviest) end(heaviest, message(heaviest.usage));
      return heaviest?.turn.runId;
    },
  };
}

function overLimit({ bytes, files, unlinkedBytes }: Usage, limits: WorkspaceLimits): string | undefined {
  if (limits.bytes > 0 && bytes > limits.bytes) {
    const unlinked =
      unlinkedBytes > 0 ? `, ${formatBytes(unlinkedBytes)} of it in deleted files that are still open` : "";
    return (
      `The run was ended: its workspace has grown to ${formatBytes(bytes)}${unlinked}, ` +
      `and the limit is ${formatBytes(limits.bytes)} (MILLRACE_WORKSPACE_QUOTA).`
    );
  }
  if (limits.files === 0 || files <= limits.files) return undefined;
  return `The run was ended: its workspace has more than ${limits.files} files and folders (MILLRACE_WORKSPACE_FILES).`;
}
