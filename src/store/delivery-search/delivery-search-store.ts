import type { ListingBacklog } from "../../runs/run-query.ts";
import type { Database } from "../sqlite/database.ts";
import { addNew, findSearchBacklog, type NewBatch, readNew } from "./search-progress.ts";
import { keepUp, type Upkeep, upkeepReader } from "./search-upkeep.ts";

/**
 * Makes deliveries findable after they were committed: what is to be written is prepared by reading, so that the thread
 * that accepts deliveries spends no time on their words.
 */
export interface DeliverySearchStore {
  listUnsearched(limit: number): Promise<NewBatch>;
  /** @returns what is left */
  addSearched(batch: NewBatch): Promise<ListingBacklog>;
  findBacklog(): Promise<ListingBacklog>;
  /** The next step that keeps the search small and fast; nothing when all is done. */
  listUpkeep(now: string): Promise<Upkeep | undefined>;
  keepUp(upkeep: Upkeep): Promise<void>;
}

export function deliverySearchStore(db: Database): DeliverySearchStore {
  return {
    listUnsearched: (limit) => readNew(db, limit),
    addSearched: (batch) => addNew(db, batch),
    findBacklog: () => findSearchBacklog(db),
    listUpkeep: upkeepReader(db),
    keepUp: (upkeep) => keepUp(db, upkeep),
  };
}
