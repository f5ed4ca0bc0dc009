import type { InfiniteData } from "@tanstack/react-query";
import type { PagePromise } from "../../../src/client/client.ts";

/** One page of a list as it is cached: plain, so that caches can compare it. */
export interface ListPage<Item> {
  items: readonly Item[];
  next: string | undefined;
}

/** A page of the API's, plain. */
export async function listPage<Item>(promise: PagePromise<Item>): Promise<ListPage<Item>> {
  const { items, nextCursor } = await promise;
  return { items, next: nextCursor };
}

/** What all loaded pages hold. */
export function itemsOf<Item>(data: InfiniteData<ListPage<Item>> | undefined): Item[] {
  return data?.pages.flatMap((page) => page.items) ?? [];
}
