/** How a client reaches its server. */
export interface ClientOptions {
  /** Where the server is, without `/api/v1`; else what `MILLRACE_SERVER` says, else `http://127.0.0.1:8787`. */
  baseUrl?: string;
  /** An API key, or the token of a run; else what `MILLRACE_API_KEY` says. */
  apiKey?: string;
  /** How often a call that failed for a passing reason is made again. 2 unless told. */
  maxRetries?: number;
  /** How long each attempt may take, and how long a stream may be silent. 60,000 unless told; Infinity is no limit. */
  timeoutMs?: number;
  /** Asks in place of the platform's own `fetch`. A `ConnectionError` that it throws is passed on as it is. */
  fetch?: (request: Request) => Promise<Response>;
  /** Headers of every request. */
  defaultHeaders?: Record<string, string>;
}

/** What one call may have otherwise than its client. */
export interface CallOptions {
  /** Ends the call, its retries and its streams. */
  signal?: AbortSignal;
  /** How long each attempt may take, and how long a stream may be silent. */
  timeoutMs?: number;
  maxRetries?: number;
  headers?: Record<string, string>;
  /** Tells the server that two requests are one: give the same key to have a call done once, however often it is made. */
  idempotencyKey?: string;
}

/** Where a server listens that nobody has told otherwise. */
export const DEFAULT_SERVER = "http://127.0.0.1:8787";
const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 60_000;

/** Options with nothing left open. */
export interface Settled {
  baseUrl: string;
  apiKey: string | undefined;
  maxRetries: number;
  timeoutMs: number;
  fetch: (request: Request) => Promise<Response>;
  defaultHeaders: Record<string, string>;
}

/** Fills in what was not said. @throws TypeError when the server is no URL */
export function settle(options: ClientOptions): Settled {
  const env = environment();
  const baseUrl = options.baseUrl ?? (env.MILLRACE_SERVER || DEFAULT_SERVER);
  if (!/^https?:\/\/[^/]/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError(
      `baseUrl: "${baseUrl}" is not the URL of a server; write it as http://HOST:PORT, for example ${DEFAULT_SERVER}.`,
    );
  }
  return {
    // What clients of the public API are given ends in the prefix of the API.
    baseUrl: baseUrl.replace(/\/+$/, "").replace(/\/api\/v1$/, ""),
    apiKey: options.apiKey ?? (env.MILLRACE_API_KEY || undefined),
    maxRetries: options.maxRetries ?? DEFAULT_RETRIES,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    // Called by its name: a browser refuses a `fetch` that has become a method of something else.
    fetch: options.fetch ?? ((request) => fetch(request)),
    defaultHeaders: options.defaultHeaders ?? {},
  };
}

/** A browser has no `process`. */
function environment(): Record<string, string | undefined> {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env ?? {};
}
