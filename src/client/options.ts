/** How a client reaches its server. */
export interface ClientOptions {
  /** URL of the server, without `/api/v1`. Default: `MILLRACE_SERVER`, then `http://127.0.0.1:8787`. */
  baseUrl?: string;
  /** An API key or the token of a run. Default: `MILLRACE_API_KEY`. */
  apiKey?: string;
  /** How often a call that failed for a temporary reason is retried. Default: 2. */
  maxRetries?: number;
  /** Timeout of each attempt, and maximum silence of a stream. Default: 60,000. Infinity disables it. */
  timeoutMs?: number;
  /** Used instead of the platform's `fetch`. A `ConnectionError` that it throws is passed on unchanged. */
  fetch?: (request: Request) => Promise<Response>;
  /** Used instead of `fetch`, without the platform's classes. What it returns has to do as a `Response`. */
  transport?: Transport;
  /** Headers of every request. */
  defaultHeaders?: Record<string, string>;
}

/** A request in plain values. */
export interface Outgoing {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
}

/** Sends a request. A `ConnectionError` that it throws is passed on unchanged. */
export type Transport = (request: Outgoing) => Promise<Response>;

/** Options of one call; they override those of the client. */
export interface CallOptions {
  /** Aborts the call, its retries and its streams. */
  signal?: AbortSignal;
  /** Timeout of each attempt, and maximum silence of a stream. */
  timeoutMs?: number;
  maxRetries?: number;
  headers?: Record<string, string>;
  /** Idempotency key: calls with the same key take effect once, however often they are made. */
  idempotencyKey?: string;
}

/** The default listen address of a server. */
export const DEFAULT_SERVER = "http://127.0.0.1:8787";
const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 60_000;

/** Options with all defaults filled in. */
export interface Settled {
  baseUrl: string;
  apiKey: string | undefined;
  maxRetries: number;
  timeoutMs: number;
  transport: Transport;
  defaultHeaders: Record<string, string>;
}

/** Fills in defaults. @throws TypeError if the server is not a valid URL */
export function settle(options: ClientOptions): Settled {
  const env = environment();
  const baseUrl = options.baseUrl ?? (env.MILLRACE_SERVER || DEFAULT_SERVER);
  if (!/^https?:\/\/[^/]/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError(
      `baseUrl: "${baseUrl}" is not a valid server URL; expected http://HOST:PORT, for example ${DEFAULT_SERVER}.`,
    );
  }
  return {
    // The base URL for clients of the public API ends in the prefix of the API.
    baseUrl: baseUrl.replace(/\/+$/, "").replace(/\/api\/v1$/, ""),
    apiKey: options.apiKey ?? (env.MILLRACE_API_KEY || undefined),
    maxRetries: options.maxRetries ?? DEFAULT_RETRIES,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    transport: options.transport ?? byFetch(options.fetch),
    defaultHeaders: options.defaultHeaders ?? {},
  };
}

/** By default the platform's, called by its name: a browser refuses a `fetch` that has become a method of something else. */
function byFetch(send: (request: Request) => Promise<Response> = (request) => fetch(request)): Transport {
  return ({ url, body, ...rest }) =>
    send(new Request(url, { ...rest, ...(body === undefined ? {} : { body }) }));
}

/** A browser has no `process`. */
function environment(): Record<string, string | undefined> {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env ?? {};
}
