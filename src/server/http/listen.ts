import { createServer, type RequestListener, type Server } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { ListenAddress } from "../../config/values.ts";
import { errorMessage, MillraceError, systemCode } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import { answerInTurn } from "./in-turn.ts";
import { limitConnections } from "./limit-connections.ts";
import { refuseMalformed, refuseUnreadable } from "./own-answers.ts";

export interface HttpListener {
  /** The port that is listened on, also when the system chose it. */
  port: number;
  /** Takes no new connections, lets requests finish for a moment, then closes what is open. */
  close(): Promise<void>;
}

/** A sender has this long for its headers, and so long for the headers and the body together (docs/webhooks.md). */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 45_000;
/** How long requests that are being answered may take when the server stops. */
const CLOSE_GRACE_MS = 2_000;
/** How long a connection that was taken may say nothing when the server stops: its request may be on the way. */
const LAST_REQUESTS_MS = 200;

/**
 * Listens for HTTP, on a socket that was handed over where there is one.
 * @throws MillraceError `service_unavailable` when the address cannot be had
 */
export async function listen(
  address: ListenAddress | { path: string },
  handler: RequestListener,
  {
    flag = "--listen or MILLRACE_LISTEN",
    socket,
    onConnection,
    log,
    keepAliveMs,
    publicUrl,
  }: {
    flag?: string;
    socket?: number | undefined;
    onConnection?: (socket: Socket) => void;
    log?: Pick<Log, "warn">;
    /** How long a connection may rest between two requests. */
    keepAliveMs: number;
    /** Where the pages of error codes are. */
    publicUrl: () => string;
  },
): Promise<HttpListener> {
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
  });
  limitConnections(server, { log });
  answerInTurn(server, refuseMalformed(handler, publicUrl), {
    refuse: (error, socket, begun) => refuseUnreadable(error, socket, { publicUrl, begun }),
  });
  if (onConnection) server.on("connection", onConnection);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(address, flag, error)));
    server.listen(socket === undefined ? address : { fd: socket }, resolve);
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound ? bound.port : 0;
  return { port, close: () => close(server) };
}

/** Where this machine reaches an address that is listened on. */
export function loopbackUrl(host: string, port: number): string {
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

/**
 * Takes no more connections, and answers what those that were taken still ask. The `close` of Node's HTTP server cuts off
 * those whose first request is on the way.
 */
async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  server.prependListener("request", (_, response) => response.setHeader("connection", "close"));
  const timers = [
    setTimeout(() => server.closeIdleConnections(), LAST_REQUESTS_MS),
    setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS),
  ];
  await closed;
  for (const timer of timers) clearTimeout(timer);
}

function cannotListen(
  address: ListenAddress | { path: string },
  flag: string,
  error: unknown,
): MillraceError {
  const where = "path" in address ? address.path : `${address.host}:${address.port}`;
  const inUse = systemCode(error) === "EADDRINUSE";
  return new MillraceError(
    "service_unavailable",
    `Cannot listen on ${where}: ${inUse ? "another program is using it" : errorMessage(error)}.`,
    {
      remedy: inUse
        ? `Stop that program, or specify another address with ${flag}.`
        : `Specify another address with ${flag}.`,
    },
  );
}
