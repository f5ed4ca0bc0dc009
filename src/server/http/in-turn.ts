import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Clients that send ahead at all send a few. Each request that waits takes some kilobytes. */
const MAX_WAITING = 16;

type Waiting = [request: IncomingMessage, response: ServerResponse];

/**
 * Handles the requests of a connection one at a time, each when the answer before it has been written out. Node hands over
 * all that have come (HTTP pipelining, RFC 9112, 9.3.2), a thousand in one read, and holds their answers for a client that
 * reads none of them. A connection on which more wait than any client sends is ended.
 */
export function inTurn(handler: RequestListener): RequestListener {
  const underWay = new WeakMap<Socket, Waiting[]>();

  function handle(waiting: Waiting[], ...[request, response]: Waiting): void {
    response.once("close", () => {
      const next = waiting.shift();
      if (request.socket.destroyed) waiting.length = 0;
      else if (next) handle(waiting, ...next);
      else underWay.delete(request.socket);
    });
    handler(request, response);
  }

  return (request, response) => {
    const { socket } = request;
    const waiting = underWay.get(socket);
    if (!waiting) {
      const none: Waiting[] = [];
      underWay.set(socket, none);
      handle(none, request, response);
    } else if (waiting.length < MAX_WAITING) waiting.push([request, response]);
    else socket.destroy();
  };
}
