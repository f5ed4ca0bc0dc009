import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Calls back once when nobody may be waiting for an answer that can take long: the connection is closed, or its client has closed
 * its side. One that has gone cannot be told from one that still reads, so the latter is answered with what there is.
 */
export function whenLeft(
  request: Pick<IncomingMessage, "socket">,
  response: Pick<ServerResponse, "closed" | "once">,
  left: () => void,
): void {
  const { socket } = request;
  let isOver = false;
  const end = () => {
    socket.off("end", end);
    if (!isOver) left();
    isOver = true;
  };
  // No event follows when it left while its key was looked up.
  if (response.closed || socket.readableEnded) end();
  else {
    socket.on("end", end);
    response.once("close", end);
  }
}
