import { ConnectionError, ConnectionTimeoutError } from "./errors.ts";
import { after } from "./pause.ts";

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
