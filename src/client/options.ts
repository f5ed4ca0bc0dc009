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
  /** Headers of every request. */
  defaultHeaders?: Record<string, string>;
}

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
  fetch: (request: Request) => Promise<Response>;
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
