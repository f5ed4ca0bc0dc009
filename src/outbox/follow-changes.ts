import { type FollowDeps as Deps, follow } from "../changes/follow.ts";
import type { CommitRounds } from "../concurrency/rounds.ts";
import { errorMessage, StoreUnavailable } from "../errors/error.ts";
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

export interface FollowDeps<Written extends Followed<string, unknown>> extends Deps {
  outbox: Outbox<string, unknown, Written>;
  /** Learns what was changed of the definitions, here or by another server. @returns when all is known that was committed before */
  catchUp(): Promise<void>;
  /** Whether there is anybody to tell anything. */
  isWanted(): boolean;
  startReading(): Promise<ChangeReader<Written>>;
  /** Something waits for these targets. */
  onWaiting(targets: readonly string[]): void;
  onDropped(count: number): void;
  /** So many changes are looked at together. */
  page: number;
  /** What is followed for, in the log. */
  about: string;
  now(): Date;
}

/** Fills an outbox with what the log of changes leads to. @returns what ends it */
export function followChanges<Written extends Followed<string, unknown>>(
  deps: FollowDeps<Written>,
): CommitRounds {
  const { outbox, catchUp, isWanted, startReading, page, about, log, now } = deps;
  let reader: ChangeReader<Written> | undefined;
  /** The newest change when there was no one to tell; nothing where that is not known. */
  let passed: number | undefined;

  /** A change of which nothing can be made holds up none of the others: what is read together is read one by one then. */
  async function readNext(after: number, most: number): Promise<Read<Written>> {
    const nothing = { isNews: false, isCut: true, messages: [] } as unknown as Read<Written>;
    for (const limit of [most, 1]) {
      reader ??= await startReading();
      try {
        const found = await reader.read(after, limit);
        return limit < most ? { ...found, isCut: true } : found;
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        reader = undefined;
        if (limit === 1)
          log.error(
            { seq: after + 1, error: errorMessage(error) },
            `${about} for a change could not be made; it is left out`,
          );
      }
    }
    return { ...nothing, upTo: after + 1 };
  }

  return follow(
    {
      page,
      failure: `${about} could not be decided on; retrying`,
      saveProgress: outbox.saveProgress,
      async prepare(position) {
        // Before the definitions: the targets of a change have to be known when it is read.
        const { isActive, newest } = await outbox.findProgress();
        await catchUp();
        if (!isWanted()) {
          if (isActive) await outbox.pass();
          passed = newest;
          return "caught up";
        }
        if (position) return { position, newest };
        // Much may have happened between the definition that has named the first target, and this round.
        const read = await outbox.follow(passed);
        passed = undefined;
        reader = await startReading();
        return { position: { read, written: read }, newest };
      },
      async handle(after, limit) {
        const { upTo, isNews, isCut = false, ...found } = await readNext(after, limit);
        if (!isNews) return { upTo, isCut };
        const write = async (from: number) => {
          const followed = { ...found, from, upTo, at: now().toISOString() } as unknown as Written;
          const dropped = await outbox.saveFollowed(followed);
          if (dropped > 0) deps.onDropped(dropped);
          deps.onWaiting([...new Set(followed.messages.map(({ target }) => target))]);
        };
        return { upTo, isCut, write };
      },
      leave() {
        passed = undefined;
      },
    },
    deps,
  );
}
