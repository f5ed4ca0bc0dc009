import http from "node:http";
import https from "node:https";
import { isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { timeLimit } from "../concurrency/promises.ts";
import { proxyOf } from "../platform/proxies.ts";
import { type AddressRules, OutboundError, permittedLookup, resolvePermitted } from "./address-rules.ts";
import { openTunnel } from "./proxy-tunnel.ts";

export interface OutboundRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ends the request before its time. */
  signal: AbortSignal;
  /** How many bytes of the body of the answer are kept; without it none, whatever the other end sends. */
  keepAnswer?: number;
}

/** What the other end said. */
export interface OutboundAnswer {
  status: number;
  retryAfter: string | undefined;
  /** The beginning of the body, where it was asked for: text without control characters. */
  body?: string;
}

export interface OutboundClientOptions {
  isPermitted: AddressRules;
  /** Names the proxies, as for the other requests of the server. */
  env: Record<string, string | undefined>;
  timeoutMs?: number;
}

/** Posts to addresses that someone has written into settings or a definition. */
export type OutboundClient = (request: OutboundRequest) => Promise<OutboundAnswer>;

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_ANSWER_HEADERS = 16 * 1024;

/**
 * A client that reaches permitted addresses only, follows no redirects, and reads no more of an answer than it must. With
 * a proxy, the host is resolved and checked here, and the proxy is asked for the address.
 * @throws OutboundError when there is no answer
 */
export function createOutboundClient({
  isPermitted,
  env,
  timeoutMs = TIMEOUT_MS,
}: OutboundClientOptions): OutboundClient {
  return async ({ url, headers, body, signal, keepAnswer }) => {
    const target = webUrl(url);
    const { signal: ending } = timeLimit(timeoutMs, signal);
    const connection = await connectionTo(target, ending);
    return new Promise<OutboundAnswer>((resolve, reject) => {
      const request = (target.protocol === "https:" ? https : http).request(target, {
        ...connection,
        method: "POST",
        headers: { host: target.host, ...headers, "content-length": Buffer.byteLength(body) },
        maxHeaderSize: MAX_ANSWER_HEADERS,
        signal: ending,
      });
      // Once there is a status, it is the answer, also when its body never ends.
      let answer: (() => void) | undefined;
      request.once("error", (error) => (answer ? answer() : reject(asOutbound(error, target, ending))));
      request.once("response", (response) => {
        const { "retry-after": retryAfter } = response.headers;
        const kept = keepAnswer === undefined ? undefined : createExcerpt(keepAnswer);
        answer = () => {
          const status = response.statusCode ?? 0;
          resolve({ status, retryAfter, ...(kept ? { body: kept.text() } : {}) });
          request.destroy();
        };
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          kept?.add(chunk);
          if (bytes > MAX_ANSWER_BYTES) answer?.();
        });
        response.once("end", answer);
        response.once("error", answer);
      });
      // Nobody has asked for another protocol. Without a listener, Node ends the connection and tells nobody of it.
      request.once("upgrade", ({ statusCode }, socket) => {
        socket.destroy();
        resolve({ status: statusCode ?? 0, retryAfter: undefined });
      });
      // Whatever else may end a request: one that is waited for without end would keep its place among all others.
      request.once("close", () =>
        answer ? answer() : reject(new OutboundError(`${target.hostname} gave no answer`)),
      );
      request.end(body);
    });
  };

  async function connectionTo(target: URL, ending: AbortSignal): Promise<https.RequestOptions> {
    const proxy = proxyOf(target, env);
    // A host that is an address is not looked up.
    if (proxy === undefined) {
      if (isIP(hostOf(target)) !== 0) await resolvePermitted(target.hostname, isPermitted);
      return { agent: false, lookup: permittedLookup(isPermitted) };
    }
    if (!/^https?:/.test(proxy) || !URL.canParse(proxy))
      throw new OutboundError("the proxy in the environment is not an http:// or https:// URL");
    const [resolved] = await resolvePermitted(target.hostname, isPermitted);
    const isTls = target.protocol === "https:";
    const socket = await openTunnel({
      proxy: new URL(proxy),
      address: resolved?.address ?? "",
      port: Number(target.port) || (isTls ? 443 : 80),
      signal: ending,
    });
    // An agent would not ask for the connection that is there, and open one of its own.
    return { createConnection: () => (isTls ? tlsOver(socket, target) : socket) };
  }
}

function tlsOver(socket: Socket, target: URL): Socket {
  const host = hostOf(target);
  return connectTls({ socket, ...(isIP(host) === 0 ? { servername: host } : { host }) });
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

function webUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && (parsed.protocol === "https:" || parsed.protocol === "http:")) return parsed;
  throw new OutboundError("the address is not an http:// or https:// URL");
}

/** Errors of the system quote addresses: only their codes are passed on. */
function asOutbound(error: Error, { hostname }: URL, ending: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  if (ending.aborted) return new OutboundError(`${hostname} did not answer in time`);
  const { code } = firstOf(error);
  return new OutboundError(`the request to ${hostname} failed (${code ?? "error"})`);
}

/** With several addresses, each has its own error. */
function firstOf(error: Error): NodeJS.ErrnoException {
  return error instanceof AggregateError && error.errors[0] ? error.errors[0] : error;
}

/** The beginning of a body that comes in pieces. */
export interface Excerpt {
  add(chunk: Buffer): void;
  text(): string;
}

/** What is not seen, and what turns the direction of writing: a log would show it as something else. */
const UNSEEN = /[^\P{Cc}\n]|[\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

/** Keeps so many bytes of what others have written, as text that can be shown. */
function createExcerpt(maxBytes: number): Excerpt {
  const chunks: Buffer[] = [];
  let room = maxBytes;
  return {
    add(chunk) {
      if (room === 0) return;
      const part = chunk.subarray(0, room);
      room -= part.length;
      // A copy, so that the rest of a large piece is not kept with it.
      chunks.push(Buffer.from(part));
    },
    text: () =>
      Buffer.concat(chunks).toString("utf8").replace(/\r\n?/g, "\n").replace(/\t/g, " ").replace(UNSEEN, ""),
  };
}

/** As RFC 9110, 5.6.7 has dates be sent. `Date.parse` would take much else for one, -5 too. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * How long to wait by a `Retry-After` header, in milliseconds (RFC 9110, 10.2.3).
 * @returns nothing when there is none, or it is neither seconds nor a date
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
