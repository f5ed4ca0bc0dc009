import { apiErrorOf, ConnectionError, ConnectionTimeoutError } from "./errors.ts";
import type { Transport } from "./options.ts";
import { after, pause } from "./pause.ts";
import { isJson } from "./read-body.ts";
import { mayRetry, retryDelayMs } from "./retry.ts";

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
