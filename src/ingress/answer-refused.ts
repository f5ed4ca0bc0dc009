import type { IncomingMessage, ServerResponse } from "node:http";

/** A refused body up to this size is read and dropped, so that the connection can be used again. */
const DISCARDED_BYTES = 64 * 1024;
/**
 * A larger one is dropped for so long and so far after the answer, and then cut off: a connection that is closed while
 * its sender still writes is reset, and the sender may never see the answer.
 */
const LINGER_MS = 1_000;
const LINGER_BYTES = 1024 * 1024;

export interface RefusedAnswer {
  status: number;
  mediaType: string;
  text: string;
  /** Whether the body is known to be larger than what is dropped for the sake of the connection. */
  isLarge: boolean;
}

/** Writes the answer to a request whose body nobody will read to its end, and sees to the rest of that body. */
export function answerRefused(
  request: IncomingMessage,
  response: ServerResponse,
  { status, mediaType, text, isLarge }: RefusedAnswer,
): void {
  const lingers = !request.complete && (isLarge || announcedBytes(request) > DISCARDED_BYTES);
  if (lingers) response.setHeader("connection", "close");
  response.writeHead(status, { "content-type": mediaType, "content-length": Buffer.byteLength(text) });
  if (!lingers) {
    if (!request.complete) dropBody(request, DISCARDED_BYTES, () => request.destroy());
    response.end(text);
    return;
  }
  // The answer goes out at once; its end, with which Node closes the connection, waits for the sender.
  response.write(text);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once("end", end);
  request.once("close", end);
  dropBody(request, LINGER_BYTES, end);
}

function dropBody(request: IncomingMessage, mostBytes: number, onMore: () => void): void {
  let dropped = 0;
  request.on("data", (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > mostBytes) onMore();
  });
  request.resume();
}

function announcedBytes(request: IncomingMessage): number {
  return Number(request.headers["content-length"] ?? 0);
}
