import { dirname, join } from "node:path";
import { SOCKET_INSIDE } from "../network/forwarder.ts";
import { proxyFiles } from "../network/proxy/proxy-files.ts";
import { AUTHORITIES_INSIDE, AUTHORITY_INSIDE } from "../network/proxy-environment.ts";
import { followLinks } from "./follow-links.ts";
import type { Folders, Launch, RunProgram } from "./sandbox.ts";
import { FILTER_DESCRIPTOR } from "./socket-filter.ts";

interface HeldNetworkDeps {
  /** The file of the filter for programs whose network is held. */
  socketFilter: string | undefined;
  folders: Pick<Folders, "networkSockets">;
}

/** What a sandbox of bubblewrap needs for a program whose network is held. */
export interface HeldNetworkParts {
  /** Options that show its proxy, and its filter. */
  options: string[];
  launch: Pick<Launch, "proxy" | "filter">;
}

/** @returns nothing to be added for a program whose network is not held */
export function heldNetwork(
  { runId, network }: Pick<RunProgram, "runId" | "network">,
  { socketFilter, folders: { networkSockets: folder } }: HeldNetworkDeps,
): HeldNetworkParts {
  if (!network) return { options: [], launch: {} };
  const { socket, authority, authorities } = proxyFiles(runId);
  const shown = [
    { name: socket, inside: SOCKET_INSIDE },
    ...(network.injections.length > 0
      ? [
          { name: authority, inside: AUTHORITY_INSIDE },
          { name: authorities, inside: AUTHORITIES_INSIDE },
        ]
      : []),
  ];
  const place = followLinks(folder).real;
  return {
    options: [
      ...["--dir", dirname(SOCKET_INSIDE)],
      ...shown.flatMap(({ name, inside }) => ["--ro-bind", join(place, name), inside]),
      ...(socketFilter === undefined ? [] : ["--seccomp", String(FILTER_DESCRIPTOR)]),
    ],
    launch: { filter: socketFilter, proxy: { ...network, folder: place, name: runId } },
  };
}

/** Why bubblewrap cannot hold a network here, a sentence; nothing when it can, or when programs have none at all. */
export function unheldNetwork(
  network: boolean,
  { socat, socketFilter }: { socat: string | undefined; socketFilter: string | undefined },
): string | undefined {
  if (!network) return undefined;
  if (socat === undefined) return "the program socat is not installed (Debian: apt install socat)";
  if (socketFilter === undefined)
    return `there is no filter of sockets for the processor of this machine (${process.arch})`;
  return undefined;
}
