import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import { hostName } from "../../../network/allow-entry.ts";
import type { Target } from "../../../runs/turn/network-guard.ts";
import type { Join } from "./connector.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import type { RunAuthority } from "./run-authority.ts";

interface EndedTlsOptions {
  authority: RunAuthority;
  /** Answers a request for a target, in a connection that ended here. */
  answer(request: IncomingMessage, response: ServerResponse, target: Target): void;
  /** Is told of a program that asks for another host than its connection is for. */
  onMismatch(target: Target): void;
}

/** The hosts whose TLS ends in the proxy, so that it can read and change what programs ask of them. */
export interface EndedTls {
  /** Takes connections to a target. */
  joinTo(target: Target): Join;
  close(): void;
}

export function endTls({ authority, answer, onMismatch }: EndedTlsOptions): EndedTls {
  const targets = new WeakMap<Socket, Target>();
  const server: Server = createServer(
    { requestTimeout: 0 },
    oneAtATime((request, response) => {
      const target = targets.get(request.socket);
      if (!target) return void request.socket.destroy();
      if (isFor(request, target)) return answer(request, response, target);
      onMismatch(target);
      response.writeHead(421, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(`millrace: this connection is for ${target.host}\n`);
    }),
  );
  server.on("clientError", (_, client) => client.destroy());

  function end(client: Socket, target: Target, secureContext: SecureContext): void {
    const secure = new TLSSocket(client, {
      isServer: true,
      // For programs that send no name: what they ask for is checked as well.
      secureContext,
      ALPNProtocols: ["http/1.1"],
      SNICallback(name, done) {
        if (hostName(name) !== target.host) {
          onMismatch(target);
          return done(new Error("the name is not that of the connection"));
        }
        done(null, secureContext);
      },
    });
    targets.set(secure, target);
    secure.on("error", () => client.destroy());
    server.emit("connection", secure);
  }

  return {
    joinTo: (target) => (client, head) => {
      client.pause();
      if (head.length > 0) client.unshift(head);
      authority.contextFor(target.host).then(
        (context) => end(client, target, context),
        () => client.destroy(),
      );
    },
    close: () => void server.close(),
  };
}

/** One connection can carry requests for other hosts of the same servers (domain fronting). */
function isFor({ headers, url }: IncomingMessage, { host, port }: Target): boolean {
  const [name = "", given = String(port)] = (headers.host ?? "").split(":");
  return url?.startsWith("/") === true && hostName(name) === host && given === String(port);
}
