import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls, rootCertificates } from "node:tls";
import type { ModelUsage } from "../../harness/model-usage.ts";
import { type Injection, injectHeaders } from "../injection.ts";
import { readTarget, type Target } from "../network-guard.ts";
import { readAnswer } from "./answer-usage.ts";
import type { Connector } from "./connector.ts";
import { forwardRequest } from "./forward-request.ts";
import type { Refuse } from "./http-proxy.ts";
import { Refusal } from "./refusal.ts";

/** Sends requests of programs on over HTTPS, with the secrets that belong to their host. */
export interface SecureForwarding {
  send(request: IncomingMessage, response: ServerResponse, to: SecureRequest, refuse: Refuse): void;
  /** Refuses further requests to the hosts that have told of the use of a model. */
  refuseModels(): void;
}

interface SecureRequest {
  url: URL;
  injections: readonly Injection[];
}

interface ForwardingOptions {
  /** A file with certificates of authorities that are trusted beside the usual ones. */
  authorityFile: string | undefined;
  /** Is told what a model says that a request took. */
  onUsage(usage: ModelUsage): void;
}

/** @throws what the file system says of the file of certificates */
export function secureForwarding(
  connector: Connector,
  { authorityFile, onUsage }: ForwardingOptions,
): SecureForwarding {
  const ca =
    authorityFile === undefined ? undefined : [...rootCertificates, readFileSync(authorityFile, "utf8")];

  const models = new Set<string>();
  let isRefusing = false;

  async function connectionTo(url: URL): Promise<RequestOptions> {
    const target = targetOf(url);
    if (isRefusing && models.has(url.host)) {
      connector.refuse(target, "over_budget");
      throw new Refusal("over_budget", "this run has used up its budget, and can ask no model any more");
    }
    const socket = await connector.open(target);
    if (url.protocol === "http:") return { createConnection: () => socket };
    return { createConnection: () => secured(socket, url.hostname) };
  }

  function secured(socket: Socket, servername: string): Socket {
    return connectTls({ socket, servername, ALPNProtocols: ["http/1.1"], ...(ca ? { ca } : {}) });
  }

  return {
    refuseModels() {
      isRefusing = true;
    },
    send(request, response, { url, injections }, refuse) {
      connectionTo(url).then(
        (connection) =>
          forwardRequest(
            request,
            response,
            {
              url,
              connection,
              // What is compressed could not be counted.
              change: (headers) => ({
                ...injectHeaders(headers, injections),
                "accept-encoding": ["identity"],
              }),
              onAnswer: (answer) =>
                countUsage(answer, (usage) => {
                  models.add(url.host);
                  onUsage(usage);
                }),
            },
            refuse,
          ),
        refuse,
      );
    },
  };
}

/** An answer that breaks off has told what it took until then. */
function countUsage(answer: IncomingMessage, onUsage: (usage: ModelUsage) => void): void {
  const reader = readAnswer(answer.headers);
  if (!reader) return;
  answer.on("data", reader.read);
  answer.once("close", () => {
    const usage = reader.end();
    if (usage) onUsage(usage);
  });
}

function targetOf({ protocol, hostname, port }: URL): Target | undefined {
  return readTarget(hostname, port || (protocol === "https:" ? 443 : 80));
}
