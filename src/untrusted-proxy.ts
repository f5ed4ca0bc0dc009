import type { RequestListener } from "node:http";
import { trustsPeer } from "./ingress/client-address.ts";
import type { Log } from "./log.ts";

/**
 * Warns once when a request names its sender in `X-Forwarded-For` and comes from an address that is not trusted to say so.
 * Behind such a proxy all senders have one address, so the wrong credentials of one of them lock out all.
 */
export function withProxyWarning(
  handler: RequestListener,
  { trustProxy, log }: { trustProxy: readonly string[]; log: Log },
): RequestListener {
  const trusts = trustsPeer(trustProxy);
  let isSaid = false;
  return (request, response) => {
    const from = request.socket.remoteAddress;
    if (!isSaid && request.headers["x-forwarded-for"] !== undefined && from && !trusts(from)) {
      isSaid = true;
      log.warn(
        { from },
        `a request from ${from} has an X-Forwarded-For header, which is ignored: ${from} is no trusted proxy. ` +
          "If it is your proxy, all senders behind it count as one, and the wrong credentials of one lock out all: " +
          "name its address in MILLRACE_TRUST_PROXY, or let it connect over MILLRACE_PROXY_SOCKET (docs/deploying.md).",
      );
    }
    handler(request, response);
  };
}
