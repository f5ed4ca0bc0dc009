import { apiErrorOf, ConnectionError, ConnectionTimeoutError } from "./errors.ts";
import type { CallOptions, Transport } from "./options.ts";

/** A request that can be repeated. */
export interface Sending {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
  timeoutMs: number;
  maxRetries: number;
  transport: Transport;
}

/**
 * Repeats a request until it succeeds, cannot be retried, or has been retried often enough.
 * @throws ApiError for a refusal, ConnectionError without an answer, the signal's reason when that is aborted
 */
export async function send(sending: Sending): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(sending);
    const refused = outcome instanceof ConnectionError ? undefined : outcome;
    if (refused?.ok) return refused;
    if (attempt >= sending.maxRetries || !mayRetry(outcome))
      throw refused ? await apiErrorOf(refused) : outcome;
    await pause(retryDelayMs(attempt, refused?.headers.get("retry-after")), sending.signal);
  }
}

async function attemptOnce(sending: Sending): Promise<Response | ConnectionError> {
  const { method, url, headers, body, signal, timeoutMs, transport } = sending;
  const tooLate = new AbortController();
  const either = signal ? AbortSignal.any([signal, tooLate.signal]) : tooLate.signal;
  const timer = after(timeoutMs, () => tooLate.abort());
  try {
    return await readDocument(await transport({ method, url, headers, body, signal: either }));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ConnectionError) return error;
    if (tooLate.signal.aborted)
      return new ConnectionTimeoutError(`${method} ${url} timed out after ${timeoutMs} ms.`);
    return new ConnectionError(`${method} ${url} failed: ${reasonOf(error)}.`, { cause: error });
  } finally {
    timer.cancel();
  }
}

/**
 * Refusals and documents are read to their end within the attempt, so that one that is cut off is requested again.
 * Everything else may be large or endless, and is read by the caller.
 */
async function readDocument(response: Response): Promise<Response> {
  if (response.ok && !isJson(response)) return response;
  const bytes = await response.arrayBuffer();
  if (!response.bodyUsed) return response;
  return new Response(bytes.byteLength === 0 ? null : bytes, response);
}

/** `fetch` only reports that it failed; the reason is in the cause, and for several attempts in their codes. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ("code" in cause ? String(cause.code) : cause.name);
}

/** How often long waits retry to reach the server: for more than half a minute, which a restart takes. */
export const PATIENT_RETRIES = 8;

const MAX_OBEYED_MS = 60_000;
const FIRST_MS = 500;
const MAX_MS = 8_000;
const JITTER = 0.25;

/** Whether a call may be retried. The server's `x-should-retry` takes precedence. */
export function mayRetry(outcome: Response | ConnectionError): boolean {
  if (outcome instanceof ConnectionError) return outcome.retryable;
  const word = outcome.headers.get("x-should-retry");
  if (word === "true" || word === "false") return word === "true";
  return [408, 409, 429].includes(outcome.status) || outcome.status >= 500;
}

/**
 * How long to wait before the next attempt: as long as `Retry-After` asks, if that is not over a minute, and else a time
 * that doubles, in which clients that failed together come apart.
 * @param attempt counts from 0
 */
export function retryDelayMs(
  attempt: number,
  retryAfter: string | null = null,
  now = Date.now(),
  random = Math.random(),
): number {
  const asked = retryAfter === null ? 0 : retryAfterMs(retryAfter, now);
  if (asked > 0 && asked <= MAX_OBEYED_MS) return asked;
  return Math.min(FIRST_MS * 2 ** attempt, MAX_MS) * (1 - JITTER * random);
}

/** Seconds, or the date of the next attempt. NaN, which compares with nothing, for anything else. */
function retryAfterMs(text: string, now: number): number {
  const seconds = Number(text);
  return Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1_000;
}

/** Waits for a while. Rejects with the signal's reason if it is aborted before. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Runs a callback after a time. Timers of the platform take less than 25 days; longer means never. */
export function after(milliseconds: number, act: () => void): { cancel(): void } {
  const timer = milliseconds <= MAX_TIMER_MS ? setTimeout(act, milliseconds) : undefined;
  return { cancel: () => clearTimeout(timer) };
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** Limits for reading a body. */
export interface ReadLimits {
  /** Maximum time without data. */
  silenceMs: number;
  signal: AbortSignal | undefined;
}

/** A body by its media type: JSON as a value, other text as a string, undefined if empty. */
export async function readData(response: Response, limits: ReadLimits): Promise<unknown> {
  const text = new TextDecoder().decode(await readBytes(response, limits));
  if (!isJson(response)) return response.status === 204 ? undefined : text;
  return text === "" ? undefined : JSON.parse(text);
}

export function isJson(response: Response): boolean {
  return /[/+]json\b/.test(response.headers.get("content-type") ?? "");
}

/** A body, byte for byte. */
export async function readBytes(response: Response, limits: ReadLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(response, limits)) {
    chunks.push(chunk);
    size += chunk.length;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** A body as it arrives. @throws ConnectionError if it is interrupted */
export async function* readChunks(
  response: Response,
  { silenceMs, signal }: ReadLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Not every browser iterates over a stream.
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, reader.read());
      if (done) return;
      yield value;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ConnectionError) throw error;
    throw new ConnectionError("The connection was lost in the middle of a response.", { cause: error });
  } finally {
    reader.cancel().catch(() => {});
  }
}

function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = after(milliseconds, () =>
      reject(
        new ConnectionTimeoutError(
          `No data was received for ${milliseconds} ms in the middle of a response.`,
        ),
      ),
    );
    promise.then(resolve, reject).finally(timer.cancel);
  });
}

/** Options that make all attempts of a call one request to the server. */
export function withIdempotencyKey<Options extends CallOptions>(options: Options): Options {
  return { ...options, idempotencyKey: options.idempotencyKey ?? newIdempotencyKey() };
}

/** A key that no other request has: 128 random bits. A page that is not served over TLS has no `crypto.randomUUID`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
