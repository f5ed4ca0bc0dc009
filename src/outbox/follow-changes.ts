import { type CommitRounds, commitRounds, type Leadership } from "../concurrency/rounds.ts";
import { errorMessage, StoreUnavailable } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { Followed, Outbox } from "./outbox.ts";

/** What some changes lead to, beside how far they were read. */
export type Read<Written> = Omit<Written, "from" | "upTo" | "at"> & {
  upTo: number;
  /** Whether anything has to be written. */
  isNews: boolean;
  /** Whether changes are left over that were to be looked at: what they lead to would be too much at once. */
  isCut?: boolean;
};

/** Decides what changes lead to, in their order. What could not be written is read again, by another reader. */
export interface ChangeReader<Written> {
  /** Reads the next changes, of which at most so many are looked at. */
  read(after: number, limit: number): Promise<Read<Written>>;
}

export interface FollowDeps<Written extends Followed<string, unknown>> {
  outbox: Pick<
    Outbox<string, unknown, Written>,
    "findProgress" | "follow" | "pass" | "saveFollowed" | "saveProgress"
  >;
  leadership: Leadership;
  /** Learns what was changed of the definitions, here or by another server. @returns when all is known that was committed before */
  catchUp(): Promise<void>;
  /** Whether anybody is to be told anything. */
  isWanted(): boolean;
  startReading(): Promise<ChangeReader<Written>>;
  /** Resolves after the next commit, or after so many milliseconds. */
  nextCommit(maxMs: number, signal: AbortSignal): Promise<void>;
  /** Something waits for these targets. */
  onWaiting(targets: readonly string[]): void;
  onDropped(count: number): void;
  /** So many changes are looked at together. */
  page: number;
  /** What is followed for, in the log. */
  about: string;
  log: Log;
  now(): Date;
}

/** Where nothing is to be told, the progress is written down this seldom: each time costs a sync of the disk. */
const MAX_UNRECORDED = 1_000;

/**
 * Reads the log of changes behind the commits, so that the acceptance of a delivery and the moves of a run do no more work
 * than without it. What a change leads to is written together with how far it was read: it is neither lost nor told twice.
 * @returns what ends it
 */
export function followChanges<Written extends Followed<string, unknown>>(
  deps: FollowDeps<Written>,
): CommitRounds {
  const { outbox, leadership, catchUp, isWanted, startReading, page, log, now, nextCommit } = deps;
  /** After which change to go on; nothing while nobody is to be told. */
  let position: { read: number; written: number; reader: ChangeReader<Written> } | undefined;
  /** The newest change when nobody was to be told; nothing where that is not known. */
  let passed: number | undefined;

  async function round(): Promise<"more" | "caught up" | "idle"> {
    if (!leadership.isLeader()) {
      // Another server goes on from where it was written down.
      position = undefined;
      passed = undefined;
      return "caught up";
    }
    // Before the definitions: who is to be told of a change has to be known when it is read.
    const { isActive, newest } = await outbox.findProgress();
    await catchUp();
    if (!isWanted()) {
      if (isActive) await outbox.pass();
      position = undefined;
      passed = newest;
      return "caught up";
    }
    if (!position) {
      // Much may have happened between the change of a definition by which somebody is to be told, and this round.
      const read = await outbox.follow(passed);
      passed = undefined;
      position = { read, written: read, reader: await startReading() };
    }
    return (await read(position, newest)) ? "more" : "caught up";
  }

  /** A change of which nothing can be made holds up none of the others: what is read together is read one by one then. */
  async function readNext(from: NonNullable<typeof position>, most: number): Promise<Read<Written>> {
    const nothing = { isNews: false, isCut: true, messages: [] } as unknown as Read<Written>;
    for (const limit of [most, 1]) {
      try {
        const found = await from.reader.read(from.read, limit);
        return limit < most ? { ...found, isCut: true } : found;
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        from.reader = await startReading();
        const seq = from.read + 1;
        if (limit === 1)
          log.error(
            { seq, error: errorMessage(error) },
            `${deps.about} for a change could not be made; it is left out`,
          );
      }
    }
    return { ...nothing, upTo: from.read + 1 };
  }

  /** @returns whether there is more */
  async function read(from: NonNullable<typeof position>, newest: number): Promise<boolean> {
    const most = Math.min(page, newest - from.read);
    if (most <= 0) return false;
    const { upTo, isNews, isCut = false, ...found } = await readNext(from, most);
    if (upTo === from.read) return false;
    if (isNews) {
      const at = now().toISOString();
      const followed = { ...found, from: from.written, upTo, at } as unknown as Written;
      const dropped = await outbox.saveFollowed(followed);
      if (dropped > 0) deps.onDropped(dropped);
      from.written = upTo;
      deps.onWaiting([...new Set(followed.messages.map(({ target }) => target))]);
    } else if (upTo - from.written >= MAX_UNRECORDED) {
      await outbox.saveProgress(upTo);
      from.written = upTo;
    }
    const isFullPage = upTo - from.read >= page;
    from.read = upTo;
    return isFullPage || isCut;
  }

  const rounds = commitRounds({
    round,
    nextCommit,
    onError(error) {
      log.warn({ error: errorMessage(error) }, `${deps.about} could not be decided on; retrying`);
      position = undefined;
    },
  });
  leadership.onLeading(rounds.wake);
  return rounds;
}
