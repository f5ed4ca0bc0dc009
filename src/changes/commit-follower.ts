import { AFTER_FAILURE_MS, wakeable } from "../concurrency/rounds.ts";
import { serial, sharedWork } from "../concurrency/shared-work.ts";
import type { ListingBacklog } from "./log.ts";

/** Keeps something that is made of what is committed, such as the list of runs, close behind the commits. */
export interface CommitFollower {
  /** Something was committed that may have changed it. */
  committed(): void;
  /** The same of another server, which takes it in itself unless it ends. Who asks here does not wait for that. */
  othersCommitted(): void;
  /** Takes in everything that was committed before the call, unless that is more than a caller should wait for. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** How much of the store a follower takes while others write. */
export interface FollowerPace {
  changesBetweenWrites: number;
  restMs: number;
  /** From here on it goes first: it is never further behind than what is accepted meanwhile. */
  maxBacklog: number;
  maxLagMs: number;
}

/** A round shares the writer with what is accepted at the same time: it takes it for some milliseconds. */
const CHANGES_PER_ROUND = 200;
/** So little of the writer that a burst of deliveries is accepted first, and taken in then. */
const PACE: FollowerPace = {
  changesBetweenWrites: 50,
  restMs: 50,
  maxBacklog: 100_000,
  maxLagMs: 10_000,
};
/** A commit that is followed by others at once is taken in with them. */
const AFTER_COMMIT_MS = 50;
/** As long as a caller waits for what was just written: with all rounds that makes some tenths of a second. */
const ROUNDS_BEFORE_AN_ANSWER = 50;
/** What another server has not taken in by then, it may have left behind. */
const AFTER_OTHERS_MS = 2_000;

/** @param update takes in so many changes at most, and tells what is left */
export function createCommitFollower(
  update: (limit: number) => Promise<ListingBacklog>,
  { changesBetweenWrites, restMs, maxBacklog, maxLagMs }: FollowerPace = PACE,
  now: () => number = Date.now,
): CommitFollower {
  const updates = serial();
  let commits = 1;
  let takenUpTo = 0;
  let isAwake = true;
  let afterOthers: NodeJS.Timeout | undefined;
  /** Nobody else writes, or it is too far behind to let others go first. */
  let goesFirst = true;

  /** @returns what is left */
  function round(limit = CHANGES_PER_ROUND): Promise<ListingBacklog> {
    return updates.run(async () => {
      const before = commits;
      const backlog = await update(limit);
      if (backlog.changes === 0) takenUpTo = before;
      return backlog;
    });
  }

  const isLate = ({ changes, since }: ListingBacklog) =>
    since !== null && (changes > maxBacklog || now() - Date.parse(since) > maxLagMs);

  const rounds = wakeable({
    async round() {
      const before = commits;
      const backlog = await round(goesFirst ? CHANGES_PER_ROUND : changesBetweenWrites);
      isAwake = takenUpTo < commits;
      goesFirst = commits === before || isLate(backlog);
      if (!isAwake) return undefined;
      return goesFirst ? 0 : restMs;
    },
    onError: () => AFTER_FAILURE_MS,
  });
  rounds.wake();

  /** Shared, or each of many callers would wait for the updates of all others. */
  const catchUp = sharedWork(async () => {
    const asked = commits;
    for (let each = 0; each < ROUNDS_BEFORE_AN_ANSWER && takenUpTo < asked; each += 1) await round();
  });

  return {
    committed() {
      commits += 1;
      if (isAwake) return;
      isAwake = true;
      setTimeout(rounds.wake, AFTER_COMMIT_MS).unref();
    },
    othersCommitted() {
      commits += 1;
      afterOthers ??= setTimeout(() => {
        afterOthers = undefined;
        rounds.wake();
      }, AFTER_OTHERS_MS).unref();
    },
    async caughtUp() {
      if (takenUpTo < commits) await catchUp(new AbortController().signal);
    },
    stop() {
      clearTimeout(afterOthers);
      return rounds.stop();
    },
  };
}
