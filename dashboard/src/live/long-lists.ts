import type { Query } from "@tanstack/react-query";
import type { Freshener } from "../api/freshen.ts";
import { PAGE_ROWS } from "../api/paged-query.ts";
import { itemsOf } from "../api/pages.ts";
import { queryClient } from "../api/query-client.ts";

type Pages = Parameters<Freshener["merge"]>[0];

/** Whether a list is loaded so far down that loading it again page by page would be many requests. */
export function isLong({ state }: Query): boolean {
  const pages = state.data as Pages | undefined;
  return pages?.pages !== undefined && itemsOf(pages).length > PAGE_ROWS;
}

/** Brings a long list up to date. One that no one looks at is loaded again when someone does. */
export async function freshen(query: Query): Promise<void> {
  const { queryKey, meta } = query;
  if (!query.isActive()) return queryClient.invalidateQueries({ queryKey, exact: true });
  const { freshener } = meta as { freshener: Freshener };
  const fresh = await freshener.load(itemsOf(query.state.data as Pages).length);
  // A page that is being loaded just now is put below what the list was when that began.
  if (query.state.fetchStatus !== "idle") await query.promise;
  queryClient.setQueryData(queryKey, (before: Pages | undefined) => before && freshener.merge(before, fresh));
}
