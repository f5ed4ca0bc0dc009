import {
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { forwardedHeaders, isChunked } from "./forward-headers.ts";

/** Where a request goes on to. */
export interface Forwarding {
  url: URL;
  /** How it is connected, beyond what its URL says. */
  connection?: RequestOptions;
  /** Changes what the program has put into its headers. */
  change?(headers: Record<string, string[]>): Record<string, string[]>;
  onAnswer?(answer: IncomingMessage): void;
}

/**
 * Sends a request of a program on, and its answer back. Its line and its headers are written anew from what was understood: what
 * two readers could understand in two ways does not get through.
 * @param refuse answers when there is no answer to pass on
 */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { url, connection, change = (headers) => headers, onAnswer }: Forwarding,
  refuse: (error: unknown) => void,
): void {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const outgoing = send(url, {
    ...connection,
    method: request.method,
    headers: {
      ...change(forwardedHeaders(request)),
      ...(isChunked(request) ? { "transfer-encoding": "chunked" } : {}),
      host: url.host,
    },
  });
  outgoing.once("response", (answer) => {
    onAnswer?.(answer);
    const passed = forwardedHeaders(answer);
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, {
      ...passed,
      ...(isChunked(answer) && request.method !== "HEAD" ? { "transfer-encoding": "chunked" } : {}),
    });
    // What comes in pieces is wanted in pieces.
    response.flushHeaders();
    answer.pipe(response);
    answer.once("error", () => response.destroy());
    answer.once("aborted", () => response.destroy());
  });
  outgoing.once("error", (error) => {
    if (response.headersSent) response.destroy();
    else refuse(error);
  });
  // The program has gone: nobody reads the answer.
  response.once("close", () => outgoing.destroy());
  request.once("error", () => outgoing.destroy());
  request.pipe(outgoing);
}
