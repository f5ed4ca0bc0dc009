import { type CommitFollower, createCommitFollower } from "../changes/commit-follower.ts";
import { createDeliveryIndexer, type DeliveryIndexer } from "./delivery-search/delivery-indexer.ts";
import { remotePorts, type Store } from "./store.ts";
import { hasTrait, type StoreCall } from "./store-call.ts";

/** What is made of commits after them: the list of runs, and the search of deliveries. */
export interface FollowedCommits {
  /** Says that calls were committed. */
  committed(calls: readonly StoreCall[]): void;
  /** Says that another server has committed something, and may have ended before it has followed that. */
  othersCommitted(): void;
  /** Begins to follow. @returns the ports, whose lists and searches wait for what was committed before them */
  begin(): Store;
  stop(): Promise<void>;
}

/** @param carry carries out a call, from {@link FollowedCommits.begin} on */
export function followCommits(carry: (call: StoreCall) => Promise<unknown>): FollowedCommits {
  let listing: CommitFollower | undefined;
  let indexer: DeliveryIndexer | undefined;
  return {
    committed(calls) {
      if (calls.every((call) => hasTrait("follows commits", call))) return;
      listing?.committed();
      indexer?.committed();
    },
    othersCommitted() {
      listing?.othersCommitted();
      indexer?.othersCommitted();
    },
    begin() {
      const ports = remotePorts(carry);
      const listed = createCommitFollower(async (limit) =>
        (await ports.runs.findListingDue()) ? ports.runs.updateListing(limit) : { changes: 0, since: null },
      );
      const searched = createDeliveryIndexer(ports.deliverySearch);
      [listing, indexer] = [listed, searched];
      return remotePorts(async (call) => {
        // Who has just written something finds it in the list. A store that cannot be written can still be read.
        if (hasTrait("reads listing", call)) await listed.caughtUp().catch(() => {});
        if (hasTrait("searches deliveries", call)) await searched.caughtUp().catch(() => {});
        return carry(call);
      });
    },
    async stop() {
      await listing?.stop();
      await indexer?.stop();
    },
  };
}
