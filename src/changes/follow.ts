import { type CommitRounds, commitRounds, type Leadership } from "../concurrency/rounds.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import { MAX_UNRECORDED } from "./log.ts";

/** Up to which change was read, and up to which that is written down. */
export interface Position {
  read: number;
  written: number;
}

/** What makes something of the log of changes, in their order. */
export interface Reader {
  /** So many changes are looked at together. */
  page: number;
  /** What the log of the server says of a round that has failed. */
  failure: string;
  /**
   * Looks before each page for whom it is read.
   * @param position of the page before; nothing at the beginning, and after a failure
   * @returns from where to read, `newest` at most; or that there is no one, until the next commit or until woken
   */
  prepare(
    position: Position | undefined,
  ): Promise<{ position: Position; newest?: number } | "caught up" | "idle">;
  /**
   * Decides what the next changes lead to, at most so many. `write` writes that with the position, both or neither; `isCut` says
   * that some were left, because what they lead to would be too much at once.
   */
  handle(
    after: number,
    limit: number,
  ): Promise<{ upTo: number; write?: (from: number) => Promise<void>; isCut?: boolean }>;
  saveProgress(upTo: number): Promise<void>;
  /** Another server leads, and goes on from where it was written down. */
  leave?(): void;
}

export interface FollowDeps {
  leadership: Leadership;
  /** Resolves after the next commit, or after so many milliseconds. */
  nextCommit(maxMs: number, signal: AbortSignal): Promise<void>;
  log: Log;
}

/**
 * Reads the log of changes behind the commits, so that the acceptance of a delivery and the moves of a run do no more work than
 * without it. What a change leads to is written together with the position: it is neither lost nor done twice.
 */
export function follow(reader: Reader, { leadership, nextCommit, log }: FollowDeps): CommitRounds {
  let position: Position | undefined;

  async function round(): Promise<"more" | "caught up" | "idle"> {
    const former = position;
    position = undefined;
    if (!leadership.isLeader()) {
      reader.leave?.();
      return "caught up";
    }
    const prepared = await reader.prepare(former);
    if (typeof prepared === "string") return prepared;
    const hasMore = await readPage(prepared.position, prepared.newest);
    position = prepared.position;
    return hasMore ? "more" : "caught up";
  }

  async function readPage(from: Position, newest = Number.POSITIVE_INFINITY): Promise<boolean> {
    const limit = Math.min(reader.page, newest - from.read);
    if (limit <= 0) return false;
    const { upTo, write, isCut = false } = await reader.handle(from.read, limit);
    const isFullPage = upTo - from.read >= reader.page;
    from.read = upTo;
    if (write || upTo - from.written >= MAX_UNRECORDED) {
      await (write ? write(from.written) : reader.saveProgress(upTo));
      from.written = upTo;
    }
    return isFullPage || isCut;
  }

  const onError = (error: unknown) => log.warn({ error: errorMessage(error) }, reader.failure);
  const rounds = commitRounds({ round, nextCommit, onError });
  leadership.onLeading(rounds.wake);
  return rounds;
}
