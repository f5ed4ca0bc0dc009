import { ConnectionError } from "./errors.ts";
import type { CallOptions, Settled } from "./options.ts";
import {
  PATIENT_RETRIES,
  pause,
  type ReadLimits,
  readBytes,
  readChunks,
  readData,
  retryDelayMs,
  send,
} from "./send.ts";
import { parseServerSentEvents, type ServerSentEvent } from "./server-sent-events.ts";
import type { AnswerAt, GivenAt, Models, PathWith, Verb } from "./typed-paths.ts";

/** Parts of a request. */
export interface Given {
  path?: Record<string, string>;
  query?: Record<string, QueryValue>;
  /** Value of the JSON body. */
  body?: unknown;
}

/** Options of an event stream. */
export interface StreamOptions extends CallOptions {
  /** Resumes after this event. Without it, the stream starts at the beginning or at the current time. */
  lastEventId?: string;
  /** Called when the stream begins, and when it was interrupted and is requested again. */
  onConnection?: (state: "open" | "lost") => void;
}

/** Low-level calls that the resources of a client use. */
export class Api {
  readonly #settled: Settled;

  constructor(settled: Settled) {
    this.#settled = settled;
  }

  get timeoutMs(): number {
    return this.#settled.timeoutMs;
  }

  /** One operation of the API description. */
  call<V extends Verb, Path extends PathWith<V>>(
    verb: V,
    path: Path,
    given: GivenAt<V, Path>,
    options: CallOptions,
  ): ApiPromise<AnswerAt<V, Path>> {
    return this.request(verb, path, given as Given, options);
  }

  /** Any path below `/api/v1`. */
  request<Data>(method: string, path: string, given: Given, options: CallOptions): ApiPromise<Data> {
    return new ApiPromise(
      this.#send(method, path, given, options),
      (response) => readData(response, this.#limits(options)) as Promise<Data>,
    );
  }

  /** A binary response, byte for byte. */
  bytes<Path extends PathWith<"get">>(
    path: Path,
    given: GivenAt<"get", Path>,
    options: CallOptions,
  ): ApiPromise<Uint8Array> {
    return new ApiPromise(this.#send("get", path, given as Given, options), (response) =>
      readBytes(response, this.#limits(options)),
    );
  }

  /** A list, page by page. @param key the member with its items */
  list<Path extends PathWith<"get">, Key extends keyof AnswerAt<"get", Path> & string>(
    path: Path,
    key: Key,
    given: GivenAt<"get", Path>,
    options: CallOptions,
  ): PagePromise<ItemOf<AnswerAt<"get", Path>[Key]>> {
    type Item = ItemOf<AnswerAt<"get", Path>[Key]>;
    type Answer = Record<Key, Item[]> & { page_info: Models["PageInfo"] };
    const asked: Given = given;
    const pageFrom = (cursor: string | undefined): PagePromise<Item> =>
      new PagePromise(
        this.#send("get", path, { ...asked, query: { ...asked.query, cursor } }, options),
        async (response) => {
          const answer = (await readData(response, this.#limits(options))) as Answer;
          return new Page(answer[key], answer.page_info, pageFrom);
        },
      );
    const { cursor } = (asked.query ?? {}) as { cursor?: string };
    return pageFrom(cursor);
  }

  /** An event stream, over as many connections as necessary. */
  stream(
    path: string,
    given: Given,
    { lastEventId, onConnection, ...options }: StreamOptions,
    isLast: (event: ServerSentEvent) => boolean,
  ): AsyncGenerator<ServerSentEvent, void, undefined> {
    const open = (reached: string | undefined, maxRetries: number | undefined) => {
      const headers = {
        ...options.headers,
        accept: "text/event-stream",
        ...(reached === undefined ? {} : { "last-event-id": reached }),
      };
      const retries = options.maxRetries ?? maxRetries ?? this.#settled.maxRetries;
      return this.#send("get", path, given, { ...options, headers, maxRetries: retries });
    };
    return resumeEvents({ open, lastEventId, isLast, onConnection, ...this.#limits(options) });
  }

  async #send(method: string, path: string, given: Given, options: CallOptions): Promise<Response> {
    const { baseUrl, transport, maxRetries, timeoutMs } = this.#settled;
    const place = fillPath(path, given.path ?? {});
    return send({
      method: method.toUpperCase(),
      url: `${baseUrl}/api/v1${place}${queryString(given.query ?? {})}`,
      headers: this.#headers(given, options),
      body: given.body === undefined ? undefined : JSON.stringify(given.body),
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      maxRetries: options.maxRetries ?? maxRetries,
      transport,
    });
  }

  #headers({ body }: Given, options: CallOptions): Record<string, string> {
    const { apiKey, defaultHeaders } = this.#settled;
    const given = Object.entries({ ...defaultHeaders, ...options.headers });
    return {
      accept: "application/json",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey }),
      ...Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value])),
    };
  }

  #limits({ timeoutMs, signal }: CallOptions): ReadLimits {
    return { silenceMs: timeoutMs ?? this.#settled.timeoutMs, signal };
  }
}

/** Operations on one kind of resource. */
export class Resource {
  protected readonly api: Api;

  constructor(api: Api) {
    this.api = api;
  }
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly QueryValue[]
  | { [key: string]: QueryValue };

/**
 * Fills in the parameters of a path: `/secrets/{name}`.
 * @throws TypeError for a value that would lead to another path than the one that was meant
 */
function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    if (["", ".", ".."].includes(value))
      throw new TypeError(`${name}: "${value}" is not valid in the path ${path}.`);
    return encodeURIComponent(value);
  });
}

/** A query with its question mark: arrays repeat their key, objects put theirs in brackets. */
function queryString(query: Readonly<Record<string, QueryValue>>): string {
  const pairs = new URLSearchParams(Object.entries(query).flatMap(([key, value]) => pairsOf(key, value)));
  return pairs.size > 0 ? `?${pairs}` : "";
}

function pairsOf(key: string, value: QueryValue): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(key, item));
  if (typeof value === "object")
    return Object.entries(value).flatMap(([inner, item]) => pairsOf(`${key}[${inner}]`, item));
  return [[key, String(value)]];
}

export interface ResumeOptions extends ReadLimits {
  /** Requests the stream from after an event. */
  open(lastEventId: string | undefined, maxRetries: number | undefined): Promise<Response>;
  lastEventId: string | undefined;
  /** Whether nothing follows this event. A stream without an end is read until its signal is aborted. */
  isLast(event: ServerSentEvent): boolean;
  /** Called when the stream begins and when it is interrupted. */
  onConnection: ((state: "open" | "lost") => void) | undefined;
}

/** Reads an event stream. A lost connection is re-established, and the stream resumes. */
async function* resumeEvents({
  open,
  lastEventId,
  isLast,
  onConnection,
  ...limits
}: ResumeOptions): AsyncGenerator<ServerSentEvent, void, undefined> {
  let reached = lastEventId;
  for (let lost = 0; ; lost += 1) {
    const response = await open(reached, lost > 0 ? PATIENT_RETRIES : undefined);
    refuseOtherThanEvents(response);
    onConnection?.("open");
    try {
      for await (const event of parseServerSentEvents(readChunks(response, limits))) {
        reached = event.id ?? reached;
        lost = 0;
        if (event.data === "") continue;
        yield event;
        if (isLast(event)) return;
      }
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
    }
    onConnection?.("lost");
    await pause(retryDelayMs(lost), limits.signal);
  }
}

function refuseOtherThanEvents(response: Response): void {
  const type = response.headers.get("content-type");
  if (type?.startsWith("text/event-stream")) return;
  throw new ConnectionError(`Expected an event stream, but received ${type ?? "another content type"}.`, {
    retryable: false,
  });
}

/** The data of a response when awaited, with access to the response itself. */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #response: Promise<Response>;
  readonly #parse: (response: Response) => Promise<Data>;
  #data: Promise<Data> | undefined;

  constructor(response: Promise<Response>, parse: (response: Response) => Promise<Data>) {
    // The value of this promise itself is never used: `await` calls `then`.
    super((resolve) => resolve(undefined as Data));
    this.#response = response;
    this.#parse = parse;
  }

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The response with its status and headers; the body is not read. */
  asResponse(): Promise<Response> {
    return this.#response;
  }

  /** The data and the response that it was read from. */
  async withResponse(): Promise<{ data: Data; response: Response }> {
    const [data, response] = await Promise.all([this.#read(), this.#response]);
    return { data, response };
  }

  // biome-ignore lint/suspicious/noThenProperty: the body is read when the data is asked for, and not for `asResponse`
  override then<Result = Data, Failure = never>(
    onData?: ((data: Data) => Result | PromiseLike<Result>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: same signature as Promise
    onFailure?: ((reason: any) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#read().then(onData, onFailure);
  }

  #read(): Promise<Data> {
    this.#data ??= this.#response.then(this.#parse);
    return this.#data;
  }
}

/** Makes a change only if the resource still has this ETag. */
export function ifMatch(etag: string | undefined, options: CallOptions): CallOptions {
  return etag === undefined ? options : { ...options, headers: { ...options.headers, "if-match": etag } };
}

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
