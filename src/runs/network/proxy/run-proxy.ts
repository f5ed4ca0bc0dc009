import { chmodSync, mkdirSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { listenPrivately } from "../../../platform/private-socket.ts";
import { networkGuard } from "../network-guard.ts";
import type { NetworkPolicy } from "../network-policy.ts";
import { type Reaches, recordReaches } from "../reaches.ts";
import { apiGateway } from "./api-gateway.ts";
import { createConnector } from "./connector.ts";
import { httpProxy } from "./http-proxy.ts";
import { SOCKS_VERSION, serveSocks } from "./socks.ts";

/** How the programs of a run reach the network: all that their supervisor needs to know. */
export interface ProxySpec {
  policy: NetworkPolicy;
  /** Where the server's API is. */
  apiUrl: string;
  /** A folder for this user alone, and the name of the socket in it. */
  folder: string;
  socket: string;
}

export interface RunProxy {
  reaches(): Reaches;
  /** Ends all connections. */
  close(): void;
}

/** What is beyond that is closed at once: a run must not take the descriptors that the programs of others need. */
const MAX_CLIENTS = 512;

/**
 * Opens the only way out for the programs of one run: a socket that is shown to their sandbox and to nothing else, and speaks
 * HTTP and SOCKS 5.
 */
export async function openRunProxy(
  { policy, apiUrl, folder, socket: name }: ProxySpec,
  onReach: () => void,
): Promise<RunProxy> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const reaches = recordReaches(onReach);
  const connector = createConnector(networkGuard(policy), reaches);
  const http = httpProxy(connector, apiGateway(apiUrl));
  const clients = new Set<Socket>();
  const accept = (client: Socket) => {
    if (clients.size >= MAX_CLIENTS) return void client.destroy();
    clients.add(client);
    client.on("error", () => {});
    client.once("close", () => clients.delete(client));
    client.once("data", (first: Buffer) => {
      client.pause();
      client.unshift(first);
      if (first[0] === SOCKS_VERSION) serveSocks(client, connector).catch(() => client.destroy());
      else http.emit("connection", client);
      client.resume();
    });
  };
  const server = await listenPrivately(folder, name, accept, { allowHalfOpen: true });
  // The programs run as another user. Who can get to it is said by the folder that it lies in.
  chmodSync(join(folder, name), 0o666);
  return {
    reaches: reaches.list,
    close() {
      server.close();
      for (const client of clients) client.destroy();
      connector.close();
      rmSync(join(folder, name), { force: true });
    },
  };
}
