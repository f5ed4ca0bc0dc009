import { ApiPromise } from "./api-promise.ts";

/** A page of a list. Iterating continues through all following pages. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; undefined on the last one. */
  readonly nextCursor: string | undefined;
  readonly #fetchPage: (cursor: string) => PagePromise<Item>;

  constructor(
    items: readonly Item[],
    { has_next_page, next_cursor }: { has_next_page: boolean; next_cursor?: string },
    fetchPage: (cursor: string) => PagePromise<Item>,
  ) {
    this.items = items;
    this.nextCursor = (has_next_page && next_cursor) || undefined;
    this.#fetchPage = fetchPage;
  }

  get hasNextPage(): boolean {
    return this.nextCursor !== undefined;
  }

  /** The next page of the same query; undefined after the last one. */
  async nextPage(): Promise<Page<Item> | undefined> {
    return this.nextCursor === undefined ? undefined : this.#fetchPage(this.nextCursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let page: Page<Item> | undefined = this; page; page = await page.nextPage()) yield* page.items;
  }
}

/** A page when awaited; every item of it and of all following pages when iterated. */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }

  /** Every item of every page. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}
