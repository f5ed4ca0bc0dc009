import type { RequestListener } from "node:http";
import { trustsPeer } from "../../edge/client-address.ts";
import type { Log } from "../../log.ts";

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
        `a request from ${from} has an X-Forwarded-For header, which is ignored: ${from} is not a trusted proxy. ` +
          "If it is your proxy, all senders behind it appear to have the same address, so failed authentication by one sender blocks all of them: " +
          "add its address to MILLRACE_TRUST_PROXY, or connect it over MILLRACE_PROXY_SOCKET (docs/deploying.md).",
      );
    }
    handler(request, response);
  };
}
