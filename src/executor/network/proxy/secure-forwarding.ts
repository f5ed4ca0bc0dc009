import { readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls, createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { type Injection, injectHeaders } from "../../../runs/turn/injection.ts";
import { targetOfUrl } from "../../../runs/turn/network-guard.ts";
import type { ModelUsage } from "../../output/model-usage.ts";
import type { Connector } from "./connector.ts";
import { forwardRequest } from "./forward-request.ts";
import type { Refuse } from "./http-proxy.ts";
import {
  beginCall,
  type CallUsage,
  isModelPath,
  isReadable,
  type ModelCall,
  mayAskModel,
} from "./model-call.ts";
import { carriesOnlyKey, type ModelTroubles } from "./model-troubles.ts";
import { Refusal } from "./refusal.ts";

/** Sends requests of programs on over HTTPS, with the secrets that belong to their host. */
export interface SecureForwarding {
  send(request: IncomingMessage, response: ServerResponse, to: SecureRequest, refuse: Refuse): void;
  /** Counts the answers that are being passed on as far as they have come. */
  endReading(): void;
  /** Refuses further requests to the hosts that have told of the use of a model. */
  refuseModels(): void;
}

interface SecureRequest {
  url: URL;
  injections: readonly Injection[];
  /** Whether this is the service of the harness itself, at the URL that every run reaches. */
  isService?: boolean;
}

/** Each answer that is read takes memory until it ends; a program does not need more at once. */
const MAX_CALLS = 32;
/** So many URLs that have told of usage are remembered. */
const MAX_TOLD = 1_000;

/** What follows an upgrade could not be read. With this status, codex goes on without WebSockets, and does not try again. */
function refuseWebSocket(response: ServerResponse): void {
  response.writeHead(426, { upgrade: "HTTP/1.1", connection: "close", "content-type": "text/plain" });
  response.end("millrace: connections to this host support HTTP/1.1 only, and no WebSockets\n");
}

/** Programs try again after a while, as at a service that limits its callers. */
function refuseCall(response: ServerResponse): void {
  response.writeHead(429, { "retry-after": "1", connection: "close", "content-type": "text/plain" });
  response.end(
    `millrace: ${MAX_CALLS} requests of this run wait for their answers; send this one when one of them has ended\n`,
  );
}

function refusePacked(response: ServerResponse): void {
  response.writeHead(415, { connection: "close", "content-type": "text/plain" });
  response.end(
    "millrace: a compressed request to a model cannot be counted; send it without Content-Encoding\n",
  );
}

let trusted: { file: string; changedAt: number; context: SecureContext } | undefined;

/**
 * What connections are secured with where a file adds to the authorities that are trusted. All runs share it until the file
 * changes: to read the certificates of all authorities takes a tenth of a second, in which the proxies of all runs wait.
 * @throws what the file system says
 */
export function contextTrusting(file: string): SecureContext {
  const { mtimeMs: changedAt } = statSync(file);
  if (trusted?.file !== file || trusted.changedAt !== changedAt) {
    const ca = [...rootCertificates, readFileSync(file, "utf8")];
    trusted = { file, changedAt, context: createSecureContext({ ca }) };
  }
  return trusted.context;
}

/** Has an answer read for what it took, and for whether it is one. */
function answerOf(call: ModelCall, trouble: ReturnType<ModelTroubles["follow"]>) {
  return (answer: IncomingMessage): boolean => {
    const isRead = call.answered(answer);
    trouble.answered(answer);
    return isRead;
  };
}

interface ForwardingOptions {
  /** A file with certificates of authorities that are trusted beside the usual ones. */
  authorityFile: string | undefined;
  /** Is told what a model says that a request took. */
  onUsage(usage: ModelUsage): void;
  troubles: Pick<ModelTroubles, "follow">;
}

export function secureForwarding(
  connector: Connector,
  { authorityFile, onUsage, troubles }: ForwardingOptions,
): SecureForwarding {
  const models = new Set<string>();
  /** Counts each request whose answer has not ended. */
  const reading = new Set<(isCutOff?: boolean) => void>();
  /** Those of them that a model may be asked with. */
  const calls = new Set<unknown>();
  let isRefusing = false;

  async function openTo(url: URL, method: string | undefined): Promise<Socket> {
    const target = targetOfUrl(url);
    if (isRefusing && models.has(url.host)) {
      connector.refuse(target, "over_budget");
      throw new Refusal("over_budget", "this run has used up its budget, and can ask no model any more");
    }
    return connector.open(target, method);
  }

  /** @throws what the file system says of the file of certificates: that fails the request, and not the start of the run */
  function secured(socket: Socket, servername: string): Socket {
    const trust = authorityFile === undefined ? {} : { secureContext: contextTrusting(authorityFile) };
    return connectTls({ socket, servername, ALPNProtocols: ["http/1.1"], ...trust });
  }

  /** What was estimated for work that models do later: what its results tell is a part of it. */
  const later = { inputTokens: 0, outputTokens: 0 };
  const told = new Set<string>();

  function count({ all, isLater }: CallUsage, { host }: URL): void {
    for (const usage of all) {
      models.add(host);
      if (isLater) {
        later.inputTokens += usage.inputTokens;
        later.outputTokens += usage.outputTokens;
      }
      onUsage(usage);
    }
  }

  /** Results can be fetched again and again, and were counted when they were asked for. */
  function countResults({ all }: CallUsage, url: URL): void {
    if (all.length === 0 || told.has(url.href) || told.size >= MAX_TOLD) return;
    told.add(url.href);
    const beyond = (key: "inputTokens" | "outputTokens", tokens: number) => {
      const estimated = Math.min(later[key], tokens);
      later[key] -= estimated;
      return tokens - estimated;
    };
    const rest = all.map((usage) => ({
      ...usage,
      inputTokens: beyond("inputTokens", usage.inputTokens),
      outputTokens: beyond("outputTokens", usage.outputTokens),
    }));
    count({ all: rest, isLater: false }, url);
  }

  return {
    endReading() {
      for (const end of reading) end(true);
    },
    refuseModels() {
      isRefusing = true;
    },
    send(request, response, { url, injections, isService = false }, refuse) {
      if (/websocket/i.test(request.headers.upgrade ?? "")) return refuseWebSocket(response);
      const isCall = mayAskModel(request);
      if (isCall && !isReadable(request.headers) && isModelPath(url)) return refusePacked(response);
      if (isCall && calls.size >= MAX_CALLS) return refuseCall(response);
      let call: ModelCall | undefined;
      const end = (isCutOff = false) => {
        if (!reading.delete(end)) return;
        calls.delete(end);
        const usage = call?.usage(isCutOff);
        if (usage) (isCall ? count : countResults)(usage, url);
      };
      if (isCall) calls.add(end);
      if (isCall || reading.size < 2 * MAX_CALLS) reading.add(end);
      const trouble = troubles.follow(
        {
          host: url.hostname,
          isOwn: isService && carriesOnlyKey(request.headersDistinct, url, injections),
          isWaitedFor: () => !response.destroyed && !request.socket.destroyed,
        },
        () => call?.model() ?? (isCall && isModelPath(url) ? null : undefined),
      );
      const fail = (error: unknown) => {
        trouble.failed(error);
        end();
        refuse(error);
      };
      openTo(url, request.method).then((socket) => {
        // The program may have gone in the meantime.
        if (response.destroyed) {
          end();
          return void socket.destroy();
        }
        // Not before: what a request says is lost on whoever does not listen yet.
        if (reading.has(end)) call = beginCall(request, url);
        const isTls = url.protocol === "https:";
        const createConnection = () => (isTls ? secured(socket, url.hostname) : socket);
        const forwarding = {
          url,
          connection: { createConnection },
          // What is compressed could not be counted.
          change: (headers: Record<string, string[]>) => ({
            ...injectHeaders(headers, injections),
            "accept-encoding": ["identity"],
          }),
          ...(call ? { onSent: call.sent, onAnswer: answerOf(call, trouble) } : {}),
          onEnd: () => end(),
        };
        forwardRequest(request, response, forwarding, (error) => {
          socket.destroy();
          fail(error);
        });
      }, fail);
    },
  };
}
