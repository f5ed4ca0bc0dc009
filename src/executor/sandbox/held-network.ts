import { dirname, join } from "node:path";
import { SOCKET_INSIDE } from "../network/forwarder.ts";
import { type ProxySpec, proxyFiles } from "../network/proxy/run-proxy.ts";
import { AUTHORITIES_INSIDE, AUTHORITY_INSIDE, proxyEnvironment } from "../network/proxy-environment.ts";
import { followLinks } from "./look-at-files.ts";
import type { Folders, HeldNetwork, Launch, RunProgram } from "./sandbox.ts";
import { FILTER_DESCRIPTOR } from "./socket-filter.ts";

export const NO_SOCAT = "the program socat is not installed (Debian: apt install socat)";

interface HeldNetworkDeps {
  /** The file of the filter for programs whose network is held. */
  socketFilter: string | undefined;
  folders: Pick<Folders, "networkSockets">;
  programs: { socat: string | undefined };
}

/** What a sandbox of bubblewrap needs for a program whose network is held. */
export interface HeldNetworkParts {
  /** Options that show its proxy, and its filter. */
  options: string[];
  /** Variables by which it finds its proxy. */
  environment: Record<string, string>;
  launch: Pick<Launch, "proxy" | "filter">;
}

/** @returns nothing to be added for a program whose network is not held */
export function heldNetwork(
  { runId, network }: Pick<RunProgram, "runId" | "network">,
  { socketFilter, folders: { networkSockets: folder }, programs: { socat = "socat" } }: HeldNetworkDeps,
): HeldNetworkParts {
  if (!network) return { options: [], environment: {}, launch: {} };
  const { proxy, files } = shownProxy(runId, network, folder, socat);
  return {
    options: [
      ...["--dir", dirname(SOCKET_INSIDE)],
      ...files.flatMap(({ path, inside }) => ["--ro-bind", path, inside]),
      ...(socketFilter === undefined ? [] : ["--seccomp", String(FILTER_DESCRIPTOR)]),
    ],
    environment: proxyEnvironment(network),
    launch: { filter: socketFilter, proxy },
  };
}

/** Why bubblewrap cannot hold a network here, a sentence; nothing when it can, or when programs have none at all. */
export function unheldNetwork(
  network: boolean,
  { socat, socketFilter }: { socat: string | undefined; socketFilter: string | undefined },
): string | undefined {
  if (!network) return undefined;
  if (socat === undefined) return NO_SOCAT;
  if (socketFilter === undefined)
    return `there is no filter of sockets for the processor of this machine (${process.arch})`;
  return undefined;
}

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
