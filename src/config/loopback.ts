import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/**
 * Whether what is sent to a URL stays on this machine. A name that merely starts like a loopback address does not:
 * anybody can own `127.0.0.1.example.com`.
 */
export function staysOnThisMachine(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  return host === "localhost" || isLoopbackAddress(host);
}

/** Whether an IP address is this machine's own, also one of IPv4 in the form of IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 6 ? "ipv6" : "ipv4");
}
