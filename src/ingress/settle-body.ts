import type { IncomingMessage, ServerResponse } from "node:http";

/** A refused body up to this size is read and dropped, so that the connection can be used again (interface, section 3). */
const DISCARDED_BYTES = 64 * 1024;
/**
 * A larger one is dropped for so long and so far after the answer, and then cut off: closing at once would reset the
 * connection, and the sender might never see why.
 */
const LINGER_MS = 1_000;
const LINGER_BYTES = 1024 * 1024;

/**
 * Sees to what is left of a body that nobody will read. Call before the answer is written.
 * @param isLarge whether it is known to be larger than what is dropped for the sake of the connection
 */
export function settleBody(
  request: IncomingMessage,
  response: ServerResponse,
  { isLarge = false } = {},
): void {
  if (request.complete) return;
  const cut = () => request.destroy();
  let timer: NodeJS.Timeout | undefined;
  if (isLarge || Number(request.headers["content-length"] ?? 0) > DISCARDED_BYTES) {
    response.setHeader("connection", "close");
    response.once("finish", () => {
      timer = setTimeout(cut, LINGER_MS);
    });
  }
  let dropped = 0;
  request.removeAllListeners("data");
  request.on("data", (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > LINGER_BYTES) cut();
    else if (dropped > DISCARDED_BYTES) timer ??= setTimeout(cut, LINGER_MS);
  });
  for (const event of ["end", "close"]) request.once(event, () => clearTimeout(timer));
  request.resume();
}
