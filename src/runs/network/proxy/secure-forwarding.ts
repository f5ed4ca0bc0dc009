import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls, rootCertificates } from "node:tls";
import type { ModelUsage } from "../../harness/model-usage.ts";
import { type Injection, injectHeaders } from "../injection.ts";
import { targetOfUrl } from "../network-guard.ts";
import { readAnswer } from "./answer-usage.ts";
import type { Connector } from "./connector.ts";
import { forwardRequest } from "./forward-request.ts";
import type { Refuse } from "./http-proxy.ts";
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
}

/** Each answer that is read takes memory until it ends; a program does not need more at once. */
const MAX_READ = 32;

/** What follows an upgrade could not be read. With this status, codex goes on without WebSockets, and does not try again. */
function refuseWebSocket(response: ServerResponse): void {
  response.writeHead(426, { upgrade: "HTTP/1.1", connection: "close", "content-type": "text/plain" });
  response.end("millrace: connections to this host support HTTP/1.1 only, and no WebSockets\n");
}

interface ForwardingOptions {
  /** A file with certificates of authorities that are trusted beside the usual ones. */
  authorityFile: string | undefined;
  /** Is told what a model says that a request took. */
  onUsage(usage: ModelUsage): void;
}

export function secureForwarding(
  connector: Connector,
  { authorityFile, onUsage }: ForwardingOptions,
): SecureForwarding {
  const models = new Set<string>();
  /** Ends the reading of each answer that is being passed on. */
  const reading = new Set<() => void>();
  let isRefusing = false;

  async function openTo(url: URL): Promise<Socket> {
    const target = targetOfUrl(url);
    if (isRefusing && models.has(url.host)) {
      connector.refuse(target, "over_budget");
      throw new Refusal("over_budget", "this run has used up its budget, and can ask no model any more");
    }
    return connector.open(target);
  }

  let authorities: string[] | undefined;

  /** @throws what the file system says of the file of certificates: that fails the request, and not the start of the run */
  function secured(socket: Socket, servername: string): Socket {
    if (authorityFile !== undefined)
      authorities ??= [...rootCertificates, readFileSync(authorityFile, "utf8")];
    const trust = authorities ? { ca: authorities } : {};
    return connectTls({ socket, servername, ALPNProtocols: ["http/1.1"], ...trust });
  }

  /** Counts what an answer tells. One that breaks off has told what it took until then. */
  function count(answer: IncomingMessage, { host }: URL): void {
    const reader = reading.size < MAX_READ ? readAnswer(answer.headers) : undefined;
    if (!reader) return;
    const end = () => {
      if (!reading.delete(end)) return;
      const usage = reader.end();
      if (!usage) return;
      models.add(host);
      onUsage(usage);
    };
    reading.add(end);
    answer.on("data", reader.read);
    answer.once("close", end);
  }

  return {
    endReading() {
      for (const end of reading) end();
    },
    refuseModels() {
      isRefusing = true;
    },
    send(request, response, { url, injections }, refuse) {
      if (/websocket/i.test(request.headers.upgrade ?? "")) return refuseWebSocket(response);
      openTo(url).then((socket) => {
        // The program may have gone in the meantime.
        if (response.destroyed) return void socket.destroy();
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
          onAnswer: (answer: IncomingMessage) => count(answer, url),
        };
        forwardRequest(request, response, forwarding, (error) => {
          socket.destroy();
          refuse(error);
        });
      }, refuse);
    },
  };
}
