import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Server, Socket } from "node:net";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { listenPrivately } from "../../../platform/private-socket.ts";
import { type Injection, injectionsFor } from "../../../runs/turn/injection.ts";
import { networkGuard } from "../../../runs/turn/network-guard.ts";
import type { NetworkPolicy } from "../../../runs/turn/network-policy.ts";
import { type Reaches, recordReaches } from "../../../runs/turn/reaches.ts";
import type { ModelUsage } from "../../harness/model-usage.ts";
import { urlBelow } from "./api-gateway.ts";
import { createConnector } from "./connector.ts";
import { type EndedTls, endTls } from "./ended-tls.ts";
import { httpProxy, refusing } from "./http-proxy.ts";
import { measureUsage } from "./measured-usage.ts";
import { ownPaths, type ServiceEndpoint } from "./own-paths.ts";
import { proxyFiles } from "./proxy-files.ts";
import { MAX_CONNECTIONS, startRelay, type TakeRelay } from "./relay.ts";
import { createRunAuthority } from "./run-authority.ts";
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
  const forwarding = secureForwarding(connector, {
    authorityFile: spec.authorityFile,
    onUsage: usage.count,
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
  let server: Server;
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
