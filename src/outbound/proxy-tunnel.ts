import http from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { decoded } from "../platform/proxies.ts";
import { OutboundError } from "./address-rules.ts";

export interface TunnelOptions {
  /** The URL of the proxy; the settings name it, so it may be anywhere. */
  proxy: URL;
  /** An address. The proxy would resolve a name itself, perhaps to what is not permitted. */
  address: string;
  port: number;
  signal: AbortSignal;
}

/** Opens a connection through a proxy. @throws OutboundError when the proxy cannot be reached or refuses */
export function openTunnel({ proxy, address, port, signal }: TunnelOptions): Promise<Socket> {
  const target = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
  const user = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
  const authorization =
    proxy.username === "" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` };
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === "https:" ? https : http).request({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: target,
      headers: { host: target, ...authorization },
      agent: false,
      signal,
    });
    request.once("connect", (response, socket, head) => {
      // Some servers speak first.
      if (head.length > 0) socket.unshift(head);
      if (response.statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new OutboundError(`the proxy answered ${response.statusCode}`));
    });
    request.once("response", (response) => {
      request.destroy();
      reject(new OutboundError(`the proxy answered ${response.statusCode}`));
    });
    request.once("error", (error: NodeJS.ErrnoException) =>
      reject(new OutboundError(`the proxy could not be reached (${error.code ?? "error"})`)),
    );
    request.end();
  });
}
