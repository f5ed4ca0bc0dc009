import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Server as NetServer, Socket } from "node:net";
import { join } from "node:path";
import { rootCertificates, type SecureContext, TLSSocket } from "node:tls";
import { hostName } from "../../../network/allow-entry.ts";
import { listenPrivately } from "../../../platform/private-socket.ts";
import { type Injection, injectionsFor } from "../../../runs/turn/injection.ts";
import { networkGuard, type Target } from "../../../runs/turn/network-guard.ts";
import type { NetworkPolicy } from "../../../runs/turn/network-policy.ts";
import { type Reaches, recordReaches } from "../../../runs/turn/reaches.ts";
import type { ModelUsage } from "../../output/model-usage.ts";
import { createConnector, type Join } from "./connector.ts";
import { httpProxy, oneAtATime, refusing } from "./http-proxy.ts";
import { measureUsage } from "./model-call.ts";
import { type ModelTrouble, modelTroubles } from "./model-troubles.ts";
import { ownPaths, type ServiceEndpoint, urlBelow } from "./own-paths.ts";
import { MAX_CONNECTIONS, startRelay, type TakeRelay } from "./relay.ts";
import { createRunAuthority, type RunAuthority } from "./run-authority.ts";
import { secureForwarding } from "./secure-forwarding.ts";
import { SOCKS_VERSION, serveSocks } from "./socks.ts";

/** How the programs of a run reach the network: all that their supervisor needs to know. */
export interface ProxySpec {
  policy: NetworkPolicy;
  /** Where the server's API is. */
  apiUrl: string;
  /** Secrets that programs use without having them. */
  injections: Injection[];
  endpoints: ServiceEndpoint[];
  /** A file with certificates of authorities that the machine trusts beside the usual ones. */
  authorityFile?: string | undefined;
  /** Variables with proxies that the machine has to use. */
  proxies?: Record<string, string> | undefined;
  /** The program that passes the connections of the run on. */
  socat: string;
  /** A folder for this user alone, and the name of what is in it for this run. */
  folder: string;
  name: string;
}

export interface RunProxy {
  reaches(): Reaches;
  /** What the models that its programs have asked through it have told, by model. */
  usage(): readonly ModelUsage[];
  /** The models that have not answered at last. */
  troubles(): readonly ModelTrouble[];
  /** Refuses further requests to the services that have told of usage: the run may use no more. */
  refuseModels(): void;
  /** Ends all connections. */
  close(): void;
}

/** A program that says nothing holds a connection that others of its run could use. */
const HEAD_MS = 60_000;

/**
 * Opens the only way out for the programs of one run: a socket that is shown to their sandbox and to nothing else, and speaks
 * HTTP and SOCKS 5.
 * @param takeRelay gives it what stands before it
 */
export async function openRunProxy(
  spec: ProxySpec,
  onChange: () => void,
  takeRelay: TakeRelay = startRelay,
): Promise<RunProxy> {
  const { policy, folder, injections } = spec;
  const files = proxyFiles(spec.name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const reaches = recordReaches(onChange);
  let ended: EndedTls | undefined;
  const connector = createConnector({
    guard: networkGuard(policy),
    reaches,
    proxies: spec.proxies,
    standIn: (target) => (injectionsFor(injections, target).length > 0 ? ended?.joinTo(target) : undefined),
  });
  const usage = measureUsage(onChange);
  const troubles = modelTroubles(onChange);
  const forwarding = secureForwarding(connector, {
    authorityFile: spec.authorityFile,
    onUsage: usage.count,
    troubles,
  });
  if (injections.length > 0) {
    const authority = await createRunAuthority();
    showAuthority(authority.certificate, folder, files);
    ended = endTls({
      authority,
      onMismatch: (target) => connector.refuse(target, "host_mismatch"),
      answer(request, response, target) {
        // The path alone: a text that begins with two slashes would name another host.
        const { pathname, search } = new URL(`http://proxy${request.url}`);
        const url = urlBelow(`https://${target.host}:${target.port}`, pathname, search);
        const own = injectionsFor(injections, target);
        forwarding.send(request, response, { url, injections: own }, refusing(response));
      },
    });
  }
  const waiting = new WeakMap<Socket, NodeJS.Timeout>();
  const onHead = (client: Socket) => clearTimeout(waiting.get(client));
  const http = httpProxy(connector, ownPaths({ ...spec, forwarding }), onHead);
  const clients = new Set<Socket>();
  const accept = (client: Socket) => {
    // A run must not take the descriptors that the programs of others need.
    if (clients.size >= MAX_CONNECTIONS) return void client.destroy();
    clients.add(client);
    client.on("error", () => {});
    waiting.set(client, setTimeout(() => client.destroy(), HEAD_MS).unref());
    client.once("close", () => {
      onHead(client);
      clients.delete(client);
    });
    client.once("data", (first: Buffer) => {
      client.pause();
      client.unshift(first);
      if (first[0] === SOCKS_VERSION)
        serveSocks(client, connector)
          .catch(() => client.destroy())
          .finally(() => onHead(client));
      else http.emit("connection", client);
      client.resume();
    });
  };
  const relay = await takeRelay({ socat: spec.socat, folder });
  let server: NetServer;
  try {
    server = await listenPrivately(folder, relay.to, accept, { allowHalfOpen: true });
    renameSync(join(folder, relay.from), join(folder, files.socket));
  } catch (error) {
    relay.close();
    throw error;
  }
  return {
    reaches: reaches.list,
    usage: usage.list,
    troubles: troubles.list,
    refuseModels: forwarding.refuseModels,
    close() {
      relay.close();
      server.close();
      forwarding.endReading();
      ended?.close();
      for (const client of clients) client.destroy();
      connector.close();
      for (const name of Object.values(files)) rmSync(join(folder, name), { force: true });
    },
  };
}

function showAuthority(certificate: string, folder: string, files: ReturnType<typeof proxyFiles>): void {
  writeFileSync(join(folder, files.authority), certificate, { mode: 0o644 });
  writeFileSync(join(folder, files.authorities), [...rootCertificates, certificate].join("\n"), {
    mode: 0o644,
  });
  // The umask of a server lets nobody else read what it writes.
  for (const name of [files.authority, files.authorities]) chmodSync(join(folder, name), 0o644);
}

/** The names of what a sandbox is shown of the proxy of its run: the socket, and the certificates that its programs trust. */
export const proxyFiles = (name: string) => ({
  socket: `${name}.sock`,
  /** Of the authority of the run alone. */
  authority: `${name}.ca.pem`,
  /** With the usual ones. */
  authorities: `${name}.cas.pem`,
});

interface EndedTlsOptions {
  authority: RunAuthority;
  /** Answers a request for a target, in a connection that ended here. */
  answer(request: IncomingMessage, response: ServerResponse, target: Target): void;
  /** Is told of a program that asks for another host than its connection is for. */
  onMismatch(target: Target): void;
}

/** The hosts whose TLS ends in the proxy, so that it can read and change what programs ask of them. */
interface EndedTls {
  /** Takes connections to a target. */
  joinTo(target: Target): Join;
  close(): void;
}

function endTls({ authority, answer, onMismatch }: EndedTlsOptions): EndedTls {
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
