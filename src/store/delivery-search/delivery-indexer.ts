import { createCommitFollower, type FollowerPace } from "../../changes/commit-follower.ts";
import { AFTER_FAILURE_MS, wakeable } from "../../concurrency/rounds.ts";
import type { DeliverySearchStore } from "./delivery-search-store.ts";

/** Keeps the search of deliveries close behind what is committed, and its store in order. */
export interface DeliveryIndexer {
  /** Something was committed that may have recorded or deleted deliveries. */
  committed(): void;
  /** The same of another server, which makes it findable itself unless it ends. */
  othersCommitted(): void;
  /** Makes everything findable that was committed before the call, unless that is more than a caller should wait for. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** To find the words of a delivery costs more than to accept it: a burst is accepted first, and found when it is over. */
const PACE: FollowerPace = {
  changesBetweenWrites: 200,
  restMs: 500,
  maxBacklog: 1_000_000,
  maxLagMs: 600_000,
};
/** Between two steps of the upkeep, others read and write; it takes its time while they do. */
const STEP_REST_MS = 20;
const STEP_REST_BETWEEN_WRITES_MS = 1_000;
/** A commit seldom leaves something to do. */
const AFTER_COMMIT_MS = 250;
/** Nothing is to be done before something is committed, or before deletions are due. */
const IDLE_MS = 60_000;

export function createDeliveryIndexer(search: DeliverySearchStore): DeliveryIndexer {
  const { committed, othersCommitted, caughtUp, stop } = createCommitFollower(
    async (limit) => search.addSearched(await search.listUnsearched(limit)),
    PACE,
  );
  let timer: NodeJS.Timeout | undefined;
  let commits = 0;
  let seenCommits = 0;
  const upkeep = wakeable({
    async round() {
      const isCalm = commits === seenCommits;
      seenCommits = commits;
      const step = await search.listUpkeep(new Date().toISOString());
      if (!step) return IDLE_MS;
      await search.keepUp(step);
      return isCalm ? STEP_REST_MS : STEP_REST_BETWEEN_WRITES_MS;
    },
    onError: () => AFTER_FAILURE_MS,
  });
  upkeep.wake();
  return {
    committed() {
      commits += 1;
      committed();
      timer ??= setTimeout(() => {
        timer = undefined;
        upkeep.wake();
      }, AFTER_COMMIT_MS).unref();
    },
    othersCommitted,
    caughtUp,
    async stop() {
      clearTimeout(timer);
      await stop();
      await upkeep.stop();
    },
  };
}
