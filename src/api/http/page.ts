import type { Cursors } from "./cursor.ts";

/** The request of a list, with the filters that its cursors are bound to. */
interface ListRequest {
  operation: string;
  path: object;
  query: { limit: number; cursor?: string };
}

/** What a list answers: the page and whether there is another. */
export interface Page<Item> {
  items: Item[];
  pageInfo: { has_next_page: boolean; next_cursor?: string };
}

/**
 * A page of a list that is at hand as a whole, sorted by a key that is unique in it.
 * @param keyOf tells the position of an item; the page after it starts with the first greater one
 */
export function pageOf<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  { operation, query, path }: ListRequest,
  cursors: Cursors,
): Page<Item> {
  const { limit, cursor, ...rest } = query;
  const scope = { operation, ...path, ...rest };
  const [after] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const sorted = [...all].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const following = after === undefined ? sorted : sorted.filter((item) => keyOf(item) > after);
  return cutPage(following, limit, (last) => cursors.encode(scope, [keyOf(last)]));
}

/**
 * The page that begins a list, and whether there is another.
 * @param found one item more than the limit when there is another page
 * @param cursorAfter makes the cursor of the page after an item
 */
export function cutPage<Item>(
  found: readonly Item[],
  limit: number,
  cursorAfter: (last: Item) => string,
): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const more = found.length > limit && last !== undefined;
  return {
    items,
    pageInfo: more ? { has_next_page: true, next_cursor: cursorAfter(last) } : { has_next_page: false },
  };
}
