import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";
import { isProxied } from "../platform/proxy-sockets.ts";

/** Tells who sent a request. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * The address of the connection; behind trusted proxies, and over the socket for proxies, the last one that `X-Forwarded-For` names in front of them.
 * @param trustedProxies addresses and networks, as MILLRACE_TRUST_PROXY lists them
 */
export function exactAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return (request) => {
    const direct = request.socket.remoteAddress ?? "";
    const cameOverSocket = isProxied(request.socket);
    const believes = (address: string, hop: number) => (cameOverSocket && hop === 0) || trusts(address, hop);
    const isBelieved = cameOverSocket || trustedProxies.length > 0;
    const claimed = withoutPort(isBelieved ? (proxyAddr(request, believes) ?? "") : direct);
    const address = ipaddr.isValid(claimed) ? claimed : direct;
    return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
  };
}

/** Whether the other end of a connection may say in `X-Forwarded-For` who sent the request. */
export function trustsPeer(trustedProxies: readonly string[]): (peer: string) => boolean {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return (peer) => ipaddr.isValid(peer) && trusts(peer, 0);
}

/** As failures are counted: whoever has an IPv6 network has 2^64 addresses of it, so those of one /64 count as one. */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const exact = exactAddress(trustedProxies);
  return (request) => networkOf(exact(request));
}

/** Some proxies write `198.51.100.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? address;
}

/** An address as {@link clientAddress} tells it. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
