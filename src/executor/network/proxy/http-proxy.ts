import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { oneATurn } from "../../../concurrency/promises.ts";
import { readTarget, targetOfUrl } from "../../../runs/turn/network-guard.ts";
import { PROXY_URL } from "../proxy-environment.ts";
import type { Connector } from "./connector.ts";
import { forwardRequest } from "./forward-request.ts";
import { refusalText } from "./refusal.ts";

/** Answers requests that are made to the proxy itself, as to a server. */
export type OwnPaths = (request: IncomingMessage, response: ServerResponse, refuse: Refuse) => void;
export type Refuse = (error: unknown) => void;

/** How a server reads the requests of programs: an upload may take as long as the run. */
export const PROGRAM_REQUESTS = { requestTimeout: 0, maxHeaderSize: 64 * 1024 } as const;

/**
 * A proxy for HTTP: CONNECT for everything, and requests with a whole URL for what is not encrypted (RFC 9112 section 3.2).
 * @param onHead is told of a connection whose request has been read
 */
export function httpProxy(
  connector: Connector,
  ownPaths: OwnPaths,
  onHead: (client: Socket) => void,
): Server {
  const server = createServer(PROGRAM_REQUESTS);
  server.on(
    "request",
    oneAtATime((request, response) => {
      onHead(request.socket);
      const refuse = refusing(response);
      request.url = ownPath(request.url ?? "");
      if (request.url.startsWith("/")) ownPaths(request, response, refuse);
      else void forwardPlain(request, response, connector, refuse);
    }),
  );
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    onHead(client);
    client.on("error", () => {});
    void openTunnel(request.url ?? "", client, head, connector);
  });
  server.on("clientError", (_, client) => {
    connector.refuse(undefined, "invalid");
    if (client.writable) client.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
  });
  return server;
}

/** Programs that do not know NO_PROXY, such as the wget of busybox, ask their proxy for the proxy. */
function ownPath(url: string): string {
  return url.startsWith(`${PROXY_URL}/`) ? url.slice(PROXY_URL.length) : url;
}

async function forwardPlain(
  request: IncomingMessage,
  response: ServerResponse,
  connector: Connector,
  refuse: Refuse,
): Promise<void> {
  const url = plainUrl(request.url ?? "");
  try {
    const socket = await connector.open(url && targetOfUrl(url), request.method);
    if (!url || response.destroyed) return void socket.destroy();
    forwardRequest(request, response, { url, connection: { createConnection: () => socket } }, (error) => {
      socket.destroy();
      refuse(error);
    });
  } catch (error) {
    refuse(error);
  }
}

/** What is to be encrypted goes through CONNECT; a name and a password belong into a header. */
function plainUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" && url.username === "" && url.password === "" ? url : undefined;
}

async function openTunnel(
  authority: string,
  client: Socket,
  head: Buffer,
  connector: Connector,
): Promise<void> {
  const [, host = "", port = ""] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(authority) ?? [];
  try {
    const join = await connector.tunnel(readTarget(host, port));
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    join(client, head);
  } catch (error) {
    const { status, reason, text } = refusalText(error);
    client.end(
      `HTTP/1.1 ${status} ${status === 403 ? "Forbidden" : "Bad Gateway"}\r\n` +
        `content-type: text/plain; charset=utf-8\r\nx-millrace-refused: ${reason}\r\n` +
        `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
    );
  }
}

/** Answers a request that is not carried out. */
export function refusing(response: ServerResponse): Refuse {
  return (error) => {
    const { status, reason, text } = refusalText(error);
    response.writeHead(status, {
      "content-type": "text/plain; charset=utf-8",
      "x-millrace-refused": reason,
      connection: "close",
    });
    response.end(text);
  };
}

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
