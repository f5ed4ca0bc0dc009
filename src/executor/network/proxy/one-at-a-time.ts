import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { oneATurn } from "../../../concurrency/promises.ts";

/**
 * Answers one request of a connection after the other. A program that sends further ones before it has its answer would have all
 * of them carried out at once, each over a connection of its own: its connection ends. Over many connections, one request comes after
 * the other too, so that those of other runs do not wait for all of them.
 */
export function oneAtATime(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): RequestListener {
  const busy = new WeakSet<Socket>();
  const inTurn = oneATurn();
  return (request, response) => {
    const { socket } = request;
    if (busy.has(socket)) return void socket.destroy();
    busy.add(socket);
    const free = () => void busy.delete(socket);
    response.once("finish", free);
    response.once("close", free);
    request.on("error", () => {});
    inTurn(() => {
      if (socket.destroyed) return;
      try {
        answer(request, response);
      } catch {
        // Nothing that one program sends may end the process that has the programs of all runs.
        socket.destroy();
      }
    });
  };
}
