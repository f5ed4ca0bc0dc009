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
  if (host === "localhost") return true;
  const version = isIP(host);
  return version !== 0 && LOOPBACK.check(host, version === 6 ? "ipv6" : "ipv4");
}
