import type { InfiniteData } from "@tanstack/react-query";
import { itemsOf, type ListPage } from "./pages.ts";

/** Rows further down than this stay as they are until the list is opened again: they are old, and seldom change. */
const MAX_FRESH = 2_000;
/** The most that one request may list. */
const MAX_ROWS = 500;

type Pages<Item> = InfiniteData<ListPage<Item>, string | undefined>;

/** How a list is brought up to date that is loaded far down. */
export interface Freshener<Item = unknown> {
  /** Loads the first rows again, as many as there are, in as few requests as can be. */
  load(rows: number): Promise<ListPage<Item>[]>;
  /** What of a list is still right, below the rows that were loaded again. */
  merge(before: Pages<Item>, fresh: readonly ListPage<Item>[]): Pages<Item>;
}

/** @param list asks for one page @param idOf what tells one row from another */
export function freshener<Item>(
  list: (page: { limit: number; cursor?: string }) => Promise<ListPage<Item>>,
  idOf: (item: Item) => string,
): Freshener<Item> {
  return {
    async load(rows) {
      const pages: ListPage<Item>[] = [];
      let cursor: string | undefined;
      for (let left = Math.min(rows, MAX_FRESH); left > 0; left -= MAX_ROWS) {
        const limit = Math.min(left, MAX_ROWS);
        const page = await list({ limit, ...(cursor === undefined ? {} : { cursor }) });
        pages.push(page);
        cursor = page.next;
        if (cursor === undefined) break;
      }
      return pages;
    },
    merge(before, fresh) {
      const known = new Set(fresh.flatMap(({ items }) => items.map(idOf)));
      const rows = itemsOf(before);
      const last = rows.findLastIndex((row) => known.has(idOf(row)));
      const isWhole = fresh.at(-1)?.next === undefined;
      // Where nothing of before is among the new rows, no one knows what is between the two.
      const older = isWhole || last < 0 ? [] : rows.slice(last + 1);
      const pages =
        older.length === 0 ? [...fresh] : [...fresh, { items: older, next: before.pages.at(-1)?.next }];
      return { pages, pageParams: pages.map((_, place) => pages[place - 1]?.next) };
    },
  };
}
