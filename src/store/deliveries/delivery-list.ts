import { firstUuidOf, instantOfUuid } from "../../id.ts";
import type { DeliveryPage, DeliveryQuery } from "../../ingress/delivery-query.ts";
import { isSearch, keptBy, searchDeliveries } from "../delivery-search/search-deliveries.ts";
import { findOldBefore, findSearchBacklog } from "../delivery-search/search-progress.ts";
import type { Database } from "../sqlite/database.ts";
import { deliverySources, runConditions } from "./delivery-sources.ts";
import { type Walked, walk } from "./delivery-walk.ts";

/** After every id that a delivery can have. */
const NEWEST = "~";

/**
 * The ids of a page, newest first, with the one after which the next page goes on. Ids tell the time, so every index that
 * ends in one is in the order of the list: a page costs what it shows, not what the log has.
 */
export async function listDeliveryIds(
  db: Database,
  query: DeliveryQuery,
): Promise<Omit<DeliveryPage, "deliveries"> & { ids: string[] }> {
  const { limit, since, until, before } = query;
  const range = {
    before: older(before ?? NEWEST, until === undefined ? NEWEST : firstUuidOf(until)),
    from: since === undefined ? "" : firstUuidOf(since),
  };
  if (isSearch(query)) {
    const found = await searchDeliveries(db, query, range, keptBy(db, runConditions(query)));
    return { ...found, ...(await findLag(db)) };
  }
  const sources = deliverySources(query);
  const walked: Walked[] = [];
  for (const source of sources) walked.push(await walk(db, source, range, limit + 1, sources.length));
  // Older than this, a source that had not ended may have what was not seen.
  const seenTo = walked.reduce((newest, each) => newer(newest, each.seenTo ?? ""), "");
  const ids = walked
    .flatMap((each) => each.ids)
    .filter((id) => id >= seenTo)
    .sort((a, b) => (a < b ? 1 : -1));
  if (ids.length <= limit) return { ids, next: seenTo === "" ? null : seenTo };
  const page = ids.slice(0, limit);
  return { ids: page, next: page.at(-1) ?? null };
}

async function findLag(db: Database): Promise<Pick<DeliveryPage, "behindSince" | "searchedFrom">> {
  const { since } = await findSearchBacklog(db);
  const before = await findOldBefore(db);
  return {
    behindSince: since ?? undefined,
    searchedFrom: before === null ? undefined : instantOfUuid(before),
  };
}

const older = (a: string, b: string) => (a < b ? a : b);
const newer = (a: string, b: string) => (a > b ? a : b);
