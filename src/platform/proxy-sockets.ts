import type { Socket } from "node:net";

const proxied = new WeakSet<Socket>();

/** Says of a connection that it came over the socket for proxies, which only those can open who may open its file. */
export function markAsProxied(socket: Socket): void {
  proxied.add(socket);
}

/** Whether the other end of a connection is a proxy that may say who sent a request. */
export function isProxied(socket: Socket): boolean {
  return proxied.has(socket);
}
