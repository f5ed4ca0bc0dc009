import type { IncomingMessage, ServerResponse } from "node:http";
import { BEARER_CHALLENGE } from "../problem-details.ts";
import { announcedBytes } from "./read-body.ts";

/** A refused body up to this size is read and dropped, so that the connection can be used again. */
const DISCARDED_BYTES = 64 * 1024;
/**
 * With a larger one the connection ends, so long after the answer: if it ended while its sender still writes, that would be
 * reset, and might never see the answer.
 */
const LINGER_MS = 1_000;
/**
 * So much of it is read and dropped meanwhile, and no more: a sender that looks for an answer only when it cannot write on, as
 * nginx does with `proxy_request_buffering off`, finds it then.
 */
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
  if (status === 401) response.setHeader("www-authenticate", BEARER_CHALLENGE);
  response.writeHead(status, { "content-type": mediaType, "content-length": Buffer.byteLength(text) });
  // Node closes the connection with the end of such an answer, so the end waits for the sender.
  if (lingers) response.write(text);
  else response.end(text);
  if (!request.complete) dropBody(request, () => (lingers ? response.end() : request.destroy()), lingers);
}

/** @param cut ends a connection whose sender has had its time, or has come to its end where nothing else would end it */
function dropBody(request: IncomingMessage, cut: () => void, lingers: boolean): void {
  let dropped = 0;
  let timer = lingers ? setTimeout(cut, LINGER_MS) : undefined;
  request.on("data", (chunk: Buffer) => {
    dropped += chunk.length;
    // A body that announced no length may turn out to be a large one when the answer is on its way.
    if (dropped > DISCARDED_BYTES) timer ??= setTimeout(cut, LINGER_MS);
    if (dropped > LINGER_BYTES) request.pause();
  });
  for (const event of ["end", "close"]) {
    request.once(event, () => {
      clearTimeout(timer);
      if (lingers) cut();
    });
  }
  request.resume();
}
