import { isIP } from "node:net";
import { type AllowEntry, allowsHost, allowsPort, hostName } from "../../network/allow-entry.ts";
import { readEntries } from "../../network/network-rule.ts";
import { addressRules, networkRules } from "../../outbound/address-rules.ts";
import type { NetworkPolicy } from "./network-policy.ts";

/** Where a program wants to connect to. */
export interface Target {
  /** A name in the form in which names are compared, or an address. */
  host: string;
  port: number;
}

/** Decides where the programs of one run may connect to. */
export interface NetworkGuard {
  /** Whether the policy allows a target, as it was asked for. */
  allows(target: Target): boolean;
  /** Whether a connection to a target may go to an address. */
  permits(target: Target, address: string): boolean;
}

/**
 * Public addresses are behind every name that is allowed; private, link-local and loopback ones only where the list names
 * them too: whoever has a name in the DNS decides what it leads to.
 */
export function networkGuard({ allow }: NetworkPolicy): NetworkGuard {
  const lists = allow.map(readEntries);
  return {
    allows: (target) => lists.every((entries) => listAllows(entries, target)),
    permits: ({ port }, address) =>
      lists.every((entries) => addressRules(networksAt(entries, port))(address)),
  };
}

function listAllows(entries: readonly AllowEntry[], { host, port }: Target): boolean {
  if (isIP(host) !== 0) return networkRules(networksAt(entries, port))(host);
  return entries.some((entry) => allowsHost(entry, host, port));
}

/** The addresses and networks that a list names for a port. */
function networksAt(entries: readonly AllowEntry[], port: number): string[] {
  return entries.flatMap((entry) =>
    entry.kind === "network" && allowsPort(entry, port) ? [entry.network] : [],
  );
}

/** Where a URL of the web leads to. */
export function targetOfUrl({ protocol, hostname, port }: URL): Target | undefined {
  return readTarget(hostname, port || (protocol === "https:" ? 443 : 80));
}

/** Reads where a request wants to go. @returns nothing for what is neither a name nor an address with a port */
export function readTarget(host: string, port: string | number): Target | undefined {
  const bare = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  const number = typeof port === "number" ? port : /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535) return undefined;
  const name = isIP(bare) === 0 ? hostName(bare) : bare.toLowerCase();
  return name === undefined ? undefined : { host: name, port: number };
}
