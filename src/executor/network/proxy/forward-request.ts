import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { mayAskModel } from "./model-call.ts";

/** Where a request goes on to. */
export interface Forwarding {
  url: URL;
  /** How it is connected, beyond what its URL says. */
  connection?: RequestOptions;
  /** Changes what the program has put into its headers. */
  change?(headers: Record<string, string[]>): Record<string, string[]>;
  /** The whole request has left this machine. */
  onSent?(): void;
  /** @returns whether the answer is read to its end when the program has gone */
  onAnswer?(answer: IncomingMessage): boolean;
  /** Nothing more comes of the request. */
  onEnd?(): void;
}

/**
 * Sends a request of a program on, and its answer back. Its line and its headers are written anew from what was understood: what
 * two readers could understand in two ways does not get through.
 * @param refuse answers when there is no answer to pass on
 */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  forwarding: Forwarding,
  refuse: (error: unknown) => void,
): void {
  let outgoing: ClientRequest;
  try {
    outgoing = begin(request, forwarding);
  } catch (error) {
    // A header that cannot be sent.
    refuse(error);
    return;
  }
  const { socket } = request;
  let answer: IncomingMessage | undefined;
  let readsOn = forwarding.onAnswer !== undefined && mayAskModel(request);
  outgoing.once("finish", () => forwarding.onSent?.());
  outgoing.once("close", () => forwarding.onEnd?.());
  // The program has gone: nobody reads the answer. A response that waits behind another one does not tell of that.
  const leave = () => {
    if (!readsOn || !request.readableEnded) return void outgoing.destroy();
    answer?.unpipe(response);
    answer?.resume();
  };
  socket.once("close", leave);
  response.once("close", () => {
    socket.off("close", leave);
    if (response.writableFinished) outgoing.destroy();
    else leave();
  });
  const fail = (error: unknown) => {
    outgoing.destroy();
    if (response.headersSent) response.destroy();
    else refuse(error);
  };
  outgoing.once("response", (given) => {
    answer = given;
    try {
      readsOn = forwarding.onAnswer?.(answer) === true;
      if (response.destroyed || socket.destroyed) leave();
      else passAnswer(answer, request, response);
    } catch (error) {
      // What a hostile host answers may be nothing that can be sent.
      fail(error);
    }
  });
  outgoing.once("upgrade", (_, upgraded) => {
    upgraded.destroy();
    fail(new Error("the host has changed the protocol"));
  });
  outgoing.on("error", fail);
  request.once("error", leave);
  request.pipe(outgoing);
}

function begin(request: IncomingMessage, { url, connection, change }: Forwarding): ClientRequest {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const headers = forwardedHeaders(request);
  return send(url, {
    // A connection that several requests share could be read by others than who has opened it.
    ...(connection ?? { agent: false }),
    method: request.method,
    headers: { ...(change ? change(headers) : headers), ...framingOf(request), host: url.host },
  });
}

function passAnswer(answer: IncomingMessage, { method }: IncomingMessage, response: ServerResponse): void {
  const { statusCode: status = 0 } = answer;
  if (status < 200 || status > 599) throw new Error(`the host has answered with the status ${status}`);
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  response.writeHead(status, { ...forwardedHeaders(answer), ...(hasBody ? framingOf(answer) : {}) });
  // What comes in pieces is wanted in pieces.
  response.flushHeaders();
  answer.pipe(response);
  answer.once("error", () => response.destroy());
  answer.once("aborted", () => response.destroy());
}

/** What is said to the next hop alone (RFC 9110 section 7.6.1), and how a request came here. */
const OF_ONE_HOP: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "forwarded",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-real-ip",
  // No name of a header that anybody sends, and no property of an object that may be set.
  "__proto__",
]);

/** The headers of a message that are passed on, each with all its values. How long its body is, is not among them. */
function forwardedHeaders({ rawHeaders, headers }: IncomingMessage): Record<string, string[]> {
  const left = new Set([...OF_ONE_HOP, ...namedIn(headers.connection), "content-length"]);
  const passed = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!left.has(name)) passed.set(name, [...(passed.get(name) ?? []), rawHeaders[index + 1] ?? ""]);
  }
  return Object.fromEntries(passed);
}

/**
 * The one header that says where the body of a message ends, whatever other headers say of it: without it, a body would be read as
 * another message. Nothing for a message without a body.
 */
function framingOf({ headers }: IncomingMessage): Record<string, string> {
  if (headers["transfer-encoding"] !== undefined) return { "transfer-encoding": "chunked" };
  const length = headers["content-length"];
  return length === undefined ? {} : { "content-length": length };
}

function namedIn(connection = ""): string[] {
  return connection
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
}
