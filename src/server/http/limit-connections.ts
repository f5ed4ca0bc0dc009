import { readFileSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../log.ts";

/**
 * A client for which the kernel takes nothing for this long has gone, or does so on purpose. The kernel takes more of an answer
 * when a third of what it holds has been read, and holds up to 4 MB: who reads 5 KB a second is left alone.
 */
const STALLED_MS = 5 * 60_000;
/** How often it is looked for in that time. */
const LOOKS_WHILE_STALLED = 6;
/** Each takes some 20 KB, idle. */
const MAX_CONNECTIONS = 16_384;
/** Of each listener, of which there may be three. The last quarter is for the database, git, agents and their output. */
const SHARE_OF_OPEN_FILES = 1 / 4;
const WARN_AT_MOST_EVERY_MS = 60_000;
/** With so many of those that may be open, a connection ends with its next answer, until they are fewer: who comes next finds a place. */
const CROWDED = 7 / 8;
const NO_LONGER_CROWDED = 3 / 4;

/**
 * Keeps clients from holding what the server needs for others: connections are fewer than the files that it may open, and one
 * whose client reads nothing is ended. A client that reads slowly is left alone.
 */
export function limitConnections(server: Server, { stalledMs = STALLED_MS, log }: Limits = {}): void {
  server.maxConnections = maxConnections();
  endStalled(server, stalledMs);
  endWhereCrowded(server);
  let warnedAt = Number.NEGATIVE_INFINITY;
  server.on("drop", () => {
    if (performance.now() - warnedAt < WARN_AT_MOST_EVERY_MS) return;
    warnedAt = performance.now();
    log?.warn(
      { maxConnections: server.maxConnections },
      server.maxConnections < MAX_CONNECTIONS
        ? "New connections are refused: a quarter of the limit on open files is in use by connections. Raise LimitNOFILE of the service, or close idle connections at a proxy."
        : "New connections are refused: too many are open. Close idle connections at a proxy.",
    );
  });
}

/** As said by the answer: a proxy sends nothing more over such a connection, whereas one that is closed at rest may lose a request. */
function endWhereCrowded(server: Server): void {
  let open = 0;
  let isCrowded = false;
  const endAfterAnswer: RequestListener = (_, response) => {
    response.shouldKeepAlive = false;
  };
  server.on("connection", (socket: Socket) => {
    open += 1;
    if (!isCrowded && open > server.maxConnections * CROWDED) {
      isCrowded = true;
      server.prependListener("request", endAfterAnswer);
    }
    socket.once("close", () => {
      open -= 1;
      if (!isCrowded || open > server.maxConnections * NO_LONGER_CROWDED) return;
      isCrowded = false;
      server.off("request", endAfterAnswer);
    });
  });
}

interface Limits {
  stalledMs?: number;
  log?: Pick<Log, "warn"> | undefined;
}

/** Looks for itself, as the timeout of a socket begins anew with whatever its client sends. */
function endStalled(server: Server, stalledMs: number): void {
  const waiting = new Map<Socket, { taken: string; since: number } | undefined>();
  server.on("connection", (socket: Socket) => {
    waiting.set(socket, undefined);
    socket.once("close", () => waiting.delete(socket));
  });
  const look = () => {
    const now = performance.now();
    for (const [socket, before] of waiting) {
      // Nothing waits for its client, also where an answer is still being made, such as a long poll.
      if (socket.writableLength === 0) {
        waiting.set(socket, undefined);
        continue;
      }
      const taken = takenOf(socket);
      if (before?.taken !== taken) waiting.set(socket, { taken, since: now });
      else if (now - before.since >= stalledMs) reset(socket);
    }
  };
  const looking = setInterval(look, stalledMs / LOOKS_WHILE_STALLED).unref();
  server.once("close", () => clearInterval(looking));
}

/** Without a reset the kernel would keep what it has taken, for as long as the client answers that it has no room. */
function reset(socket: Socket): void {
  // A unix socket has neither the one nor the other.
  if (socket.remoteFamily === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

/** Differs whenever the kernel has taken more, of a large piece also before it has taken the whole. */
function takenOf(socket: Socket): string {
  const { _handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return `${socket.bytesWritten - socket.writableLength} ${_handle?.writeQueueSize}`;
}

/** How many connections each listener may have open. */
export function maxConnections(): number {
  const [, files = "1024"] = /^Max open files +(\d+|unlimited)/m.exec(limitsOfProcess()) ?? [];
  const share = files === "unlimited" ? MAX_CONNECTIONS : Math.floor(Number(files) * SHARE_OF_OPEN_FILES);
  return Math.min(share, MAX_CONNECTIONS);
}

/** Not every system has them to read; POSIX promises far less than the 1,024 files that are assumed then. */
function limitsOfProcess(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
