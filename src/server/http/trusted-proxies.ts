import type { RequestListener } from "node:http";
import { BlockList, isIP } from "node:net";
import { isLoopbackAddress } from "../../config/loopback.ts";
import { trustsPeer } from "../../edge/client-address.ts";
import { MillraceError } from "../../errors/error.ts";
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

/** An address of each kind that a process of this machine can send from, whatever it listens on. */
const OWN = ["127.0.0.1", "::1"];

/**
 * Agents that share the host's network can send from its loopback addresses: to believe what comes from there would let
 * them name any sender, and lock that sender out.
 * @param sharesNetwork whether agents can reach the loopback addresses of this machine
 * @throws MillraceError `invalid_request` that names the entry and what to do
 */
export function checkTrustedProxies(trustProxy: readonly string[], sharesNetwork: boolean): void {
  const found = sharesNetwork ? trustProxy.find(reachesLoopback) : undefined;
  if (found === undefined) return;
  throw new MillraceError(
    "invalid_request",
    `MILLRACE_TRUST_PROXY contains the loopback address ${found}, but agents share the network of this machine: any agent could forge X-Forwarded-For.`,
    {
      remedy:
        "Connect the proxy over a unix socket (MILLRACE_PROXY_SOCKET=/run/millrace/proxy.sock) or from an address that agents cannot use, or set MILLRACE_SANDBOX_NETWORK=off.",
    },
  );
}

function reachesLoopback(entry: string): boolean {
  const [address = "", bits] = entry.split("/");
  if (isLoopbackAddress(address)) return true;
  const version = isIP(address) === 6 ? "ipv6" : "ipv4";
  const network = new BlockList();
  network.addSubnet(address, Number(bits ?? (version === "ipv6" ? 128 : 32)), version);
  return OWN.some((own) => network.check(own, isIP(own) === 6 ? "ipv6" : "ipv4"));
}
