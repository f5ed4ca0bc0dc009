import { ApiPromise } from "./api-promise.ts";

/** A page of a list. Iterating goes on through all the pages after it. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; nothing on the last one. */
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

  /** The page after this one, of the same query; nothing after the last one. */
  async nextPage(): Promise<Page<Item> | undefined> {
    return this.nextCursor === undefined ? undefined : this.#fetchPage(this.nextCursor);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let page: Page<Item> | undefined = this; page; page = await page.nextPage()) yield* page.items;
  }
}

/** A page when it is awaited; every item of it and of all the pages after it when it is iterated. */
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
