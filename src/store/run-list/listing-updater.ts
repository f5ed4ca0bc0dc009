import { serial } from "../../concurrency/serial.ts";
import { sharedWork } from "../../concurrency/shared-work.ts";
import { wakeable } from "../../concurrency/wakeable.ts";
import type { ListingBacklog } from "../../runs/run-query.ts";

/** Keeps the list of runs close behind what is committed. */
export interface ListingUpdater {
  /** Something was committed that may have changed runs. */
  committed(): void;
  /** Lists everything that was committed before the call, unless that is more than a caller should wait for. */
  caughtUp(): Promise<void>;
  stop(): Promise<void>;
}

/** A round shares the writer with what is accepted at the same time: it takes it for some milliseconds. */
const CHANGES_PER_ROUND = 200;
/** While others write, the list takes so little of the writer that a burst of deliveries is accepted first, and listed then. */
const CHANGES_BETWEEN_WRITES = 50;
const REST_MS = 50;
/** From here on the list goes first: it is never further behind than what is accepted meanwhile. */
const MAX_BACKLOG = 100_000;
const MAX_LAG_MS = 10_000;
/** As long as a list waits for what was just written: with all rounds that makes some tenths of a second. */
const ROUNDS_BEFORE_A_LIST = 50;
const AFTER_FAILURE_MS = 5_000;

/** @param update see `RunStore.updateListing` */
export function createListingUpdater(
  update: (limit: number) => Promise<ListingBacklog>,
  now: () => number = Date.now,
): ListingUpdater {
  const updates = serial();
  let commits = 1;
  let listedUpTo = 0;
  let isAwake = true;
  /** Nobody else writes, or the list is too far behind to let others go first. */
  let goesFirst = true;

  /** @returns what is left */
  function round(limit = CHANGES_PER_ROUND): Promise<ListingBacklog> {
    return updates.run(async () => {
      const before = commits;
      const backlog = await update(limit);
      if (backlog.changes === 0) listedUpTo = before;
      return backlog;
    });
  }

  const isLate = ({ changes, since }: ListingBacklog) =>
    since !== null && (changes > MAX_BACKLOG || now() - Date.parse(since) > MAX_LAG_MS);

  const rounds = wakeable({
    async round() {
      const before = commits;
      const backlog = await round(goesFirst ? CHANGES_PER_ROUND : CHANGES_BETWEEN_WRITES);
      isAwake = listedUpTo < commits;
      goesFirst = commits === before || isLate(backlog);
      if (!isAwake) return undefined;
      return goesFirst ? 0 : REST_MS;
    },
    onError: () => AFTER_FAILURE_MS,
  });
  rounds.wake();

  /** Shared, or each of many lists would wait for the updates of all others. */
  const catchUp = sharedWork(async () => {
    const asked = commits;
    for (let each = 0; each < ROUNDS_BEFORE_A_LIST && listedUpTo < asked; each += 1) await round();
  });

  return {
    committed() {
      commits += 1;
      if (isAwake) return;
      isAwake = true;
      setTimeout(rounds.wake, REST_MS).unref();
    },
    async caughtUp() {
      if (listedUpTo < commits) await catchUp(new AbortController().signal);
    },
    stop: rounds.stop,
  };
}
