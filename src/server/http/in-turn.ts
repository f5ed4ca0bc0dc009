import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Clients that send ahead at all send a few. Each request that waits takes some kilobytes. */
const MAX_WAITING = 16;
/** Of all connections together, beyond those. One read may bring three thousand requests, which Node takes apart as a whole. */
const MAX_WAITING_BEYOND = 10_000;

type Waiting = [request: IncomingMessage, response: ServerResponse];

/** What one connection has sent. */
interface Turns {
  /** Is being handled, or was handled last. */
  current: Waiting;
  isBusy: boolean;
  waiting: Waiting[];
  /** Whether nothing more is read for now. */
  isHeld: boolean;
  /** Whether what comes next is no longer handled. */
  isOver: boolean;
  /** Ends the connection when everything before has been answered. */
  end?: () => void;
}

interface InTurnOptions {
  /** Answers what is not HTTP, and ends the connection. */
  refuse(error: Error, socket: Socket, response?: ServerResponse): void;
  /** How many requests may wait on all connections together, beyond the few that each may have. */
  maxWaitingBeyond?: number;
}

/**
 * Handles the requests of a connection one at a time, each when the answer before it has been written out. Node hands over
 * all that have come (HTTP pipelining, RFC 9112, 9.3.2), a thousand in one read, and holds their answers for a client that
 * reads none of them. A connection on which more wait than any client sends is not read until they are fewer. What was taken
 * is answered, also when its client has closed its side, or has sent something behind it that is not HTTP.
 */
export function answerInTurn(
  server: Server,
  handler: RequestListener,
  { refuse, maxWaitingBeyond = MAX_WAITING_BEYOND }: InTurnOptions,
): void {
  const turnsOf = new WeakMap<Socket, Turns>();
  let beyond = 0;

  function handle(turns: Turns, next: Waiting): void {
    turns.current = next;
    turns.isBusy = true;
    const [request, response] = next;
    response.once("close", () => answered(turns, request.socket));
    handler(request, response);
  }

  function answered(turns: Turns, socket: Socket): void {
    const { waiting } = turns;
    turns.isBusy = false;
    if (socket.destroyed) {
      beyond -= Math.max(0, waiting.length - MAX_WAITING);
      waiting.length = 0;
      return;
    }
    if (waiting.length > MAX_WAITING) beyond -= 1;
    const next = waiting.shift();
    if (turns.isHeld && !turns.isOver && waiting.length <= MAX_WAITING / 2) release(turns, socket);
    if (next) handle(turns, next);
    else turns.end?.();
  }

  function take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const turns = turnsOf.get(socket);
    if (!turns) {
      const first: Turns = {
        current: [request, response],
        isBusy: true,
        waiting: [],
        isHeld: false,
        isOver: false,
      };
      turnsOf.set(socket, first);
      handle(first, first.current);
    } else if (!turns.isBusy) handle(turns, [request, response]);
    else queue(turns, [request, response]);
  }

  function queue(turns: Turns, next: Waiting): void {
    const { waiting } = turns;
    if (turns.isOver) return;
    if (waiting.length < MAX_WAITING) {
      waiting.push(next);
      return;
    }
    hold(turns, next[0].socket);
    if (beyond < maxWaitingBeyond) {
      beyond += 1;
      waiting.push(next);
      return;
    }
    // Its client sends the rest again: what follows an answer that closes the connection was not carried out (RFC 9112, 9.6).
    turns.isOver = true;
    const [, last] = waiting.at(-1) ?? turns.current;
    last.shouldKeepAlive = false;
  }

  server.on("request", take);
  server.on("checkExpectation", take);
  // Without it, whoever closes its side after a request would have it carried out, and no answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("clientError", (error, duplex) => {
    const socket = duplex as Socket;
    const turns = turnsOf.get(socket);
    if (!turns?.isBusy || socket.destroyed) {
      refuse(error, socket);
      return;
    }
    if (turns.isOver) return;
    turns.isOver = true;
    const { current, waiting } = turns;
    if (waiting.length === 0 && !current[0].complete) {
      refuse(error, socket, current[1]);
      return;
    }
    hold(turns, socket);
    // The last one has not come as a whole, and never will.
    if (waiting.length > 0 && !waiting.at(-1)?.[0].complete) {
      if (waiting.length > MAX_WAITING) beyond -= 1;
      waiting.pop();
    }
    turns.end = () => refuse(error, socket);
  });
}

/** Reads nothing more from a connection. Node goes on by itself where an answer ends, or a body is read. */
function hold(turns: Turns, socket: Socket): void {
  if (turns.isHeld) return;
  turns.isHeld = true;
  socket.on("resume", pause);
  socket.pause();
}

function release(turns: Turns, socket: Socket): void {
  turns.isHeld = false;
  socket.off("resume", pause);
  socket.resume();
}

function pause(this: Socket): void {
  this.pause();
}
