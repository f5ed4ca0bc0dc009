import { ApiPromise } from "./api-promise.ts";
import type { CallOptions, Settled } from "./options.ts";
import { Page, PagePromise } from "./page.ts";
import { type ReadLimits, readBytes, readData } from "./read-body.ts";
import { resumeEvents } from "./resume-events.ts";
import { send } from "./send.ts";
import type { ServerSentEvent } from "./server-sent-events.ts";
import type { AnswerAt, GivenAt, Models, PathWith, Verb } from "./typed-paths.ts";
import { fillPath, type QueryValue, queryString } from "./url.ts";

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

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;
