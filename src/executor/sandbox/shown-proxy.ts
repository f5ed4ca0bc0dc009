import { join } from "node:path";
import { SOCKET_INSIDE } from "../network/forwarder.ts";
import { proxyFiles } from "../network/proxy/proxy-files.ts";
import type { ProxySpec } from "../network/proxy/run-proxy.ts";
import { AUTHORITIES_INSIDE, AUTHORITY_INSIDE } from "../network/proxy-environment.ts";
import { followLinks } from "./follow-links.ts";
import type { HeldNetwork } from "./sandbox.ts";

/** The proxy of a program whose network is held. */
export interface ShownProxy {
  proxy: ProxySpec;
  /** The files of it that the sandbox shows, read-only, and where. */
  files: { path: string; inside: string }[];
}

/**
 * @param folder the folder for the sockets of proxies
 * @param socat the program that passes connections on to them
 */
export function shownProxy(runId: string, network: HeldNetwork, folder: string, socat: string): ShownProxy {
  const { socket, authority, authorities } = proxyFiles(runId);
  const place = followLinks(folder).real;
  const shown = [
    { name: socket, inside: SOCKET_INSIDE },
    ...(network.injections.length > 0
      ? [
          { name: authority, inside: AUTHORITY_INSIDE },
          { name: authorities, inside: AUTHORITIES_INSIDE },
        ]
      : []),
  ];
  return {
    proxy: { ...network, socat, folder: place, name: runId },
    files: shown.map(({ name, inside }) => ({ path: join(place, name), inside })),
  };
}
