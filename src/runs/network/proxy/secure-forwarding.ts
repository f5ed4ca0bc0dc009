import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls, rootCertificates } from "node:tls";
import { type Injection, injectHeaders } from "../injection.ts";
import { readTarget, type Target } from "../network-guard.ts";
import type { Connector } from "./connector.ts";
import { forwardRequest } from "./forward-request.ts";
import type { Refuse } from "./http-proxy.ts";

/** Sends requests of programs on over HTTPS, with the secrets that belong to their host. */
export interface SecureForwarding {
  send(request: IncomingMessage, response: ServerResponse, to: SecureRequest, refuse: Refuse): void;
}

interface SecureRequest {
  url: URL;
  injections: readonly Injection[];
  onAnswer?: (answer: IncomingMessage) => void;
}

/**
 * @param authorityFile certificates of authorities that are trusted beside the usual ones
 * @throws what the file system says of that file
 */
export function secureForwarding(connector: Connector, authorityFile: string | undefined): SecureForwarding {
  const ca =
    authorityFile === undefined ? undefined : [...rootCertificates, readFileSync(authorityFile, "utf8")];

  async function connectionTo(url: URL): Promise<RequestOptions> {
    const socket = await connector.open(targetOf(url));
    if (url.protocol === "http:") return { createConnection: () => socket };
    return { createConnection: () => secured(socket, url.hostname) };
  }

  function secured(socket: Socket, servername: string): Socket {
    return connectTls({ socket, servername, ALPNProtocols: ["http/1.1"], ...(ca ? { ca } : {}) });
  }

  return {
    send(request, response, { url, injections, onAnswer }, refuse) {
      connectionTo(url).then(
        (connection) =>
          forwardRequest(
            request,
            response,
            {
              url,
              connection,
              change: (headers) => injectHeaders(headers, injections),
              ...(onAnswer ? { onAnswer } : {}),
            },
            refuse,
          ),
        refuse,
      );
    },
  };
}

function targetOf({ protocol, hostname, port }: URL): Target | undefined {
  return readTarget(hostname, port || (protocol === "https:" ? 443 : 80));
}
