import { infiniteQueryOptions } from "@tanstack/react-query";
import { freshener } from "./freshen.ts";
import { type ListPage, listPage } from "./pages.ts";

/** Rows that a page of a long list brings. */
export const PAGE_ROWS = 100;

interface PageQuery {
  limit: number;
  cursor?: string;
}

/** A list that is loaded page by page, as far as someone scrolls. @param rows how many a page brings */
export function pagesOf<Item>(
  queryKey: readonly unknown[],
  list: (page: PageQuery) => Parameters<typeof listPage<Item>>[0],
  idOf: (item: Item) => string,
  rows = PAGE_ROWS,
) {
  return infiniteQueryOptions({
    queryKey,
    meta: { freshener: freshener((page) => listPage(list(page)), idOf) },
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      listPage(list({ limit: rows, ...(pageParam === undefined ? {} : { cursor: pageParam }) })),
    getNextPageParam: (last: ListPage<Item>) => last.next,
  });
}
