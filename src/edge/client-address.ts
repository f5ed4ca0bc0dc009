import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import ipaddr from "ipaddr.js";
import proxyAddr from "proxy-addr";

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
    if (!isBelieved) return canonical(direct) ?? direct;
    return canonical(withoutPort(proxyAddr(request, believes) ?? "")) ?? canonical(direct) ?? direct;
  };
}

/** One form of an address, an IPv4 one also where it came as IPv6; nothing for what is none. */
const canonical = remembered((address) =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined,
);

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
export const networkOf = remembered((address: string): string => {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
});

const MAX_REMEMBERED = 1_000;
/** No address is longer; what is longer comes out of a header and is not kept. */
const MAX_ADDRESS_CHARACTERS = 64;

/** Reading an address costs as much as all the rest of a small request, and most requests come from few senders. */
function remembered<Value>(read: (address: string) => Value): (address: string) => Value {
  const known = new Map<string, Value>();
  return (address) => {
    if (known.has(address)) return known.get(address) as Value;
    const value = read(address);
    if (known.size >= MAX_REMEMBERED) known.clear();
    if (address.length <= MAX_ADDRESS_CHARACTERS) known.set(address, value);
    return value;
  };
}

const proxied = new WeakSet<Socket>();

/** Says of a connection that it came over the socket for proxies, which only those can open who may open its file. */
export function markAsProxied(socket: Socket): void {
  proxied.add(socket);
}

/** Whether the other end of a connection is a proxy that may say who sent a request. */
function isProxied(socket: Socket): boolean {
  return proxied.has(socket);
}
