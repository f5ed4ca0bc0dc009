import type { RequestListener } from "node:http";
import type { Config } from "../../config/config.ts";
import type { Gate } from "../../ingress/gate.ts";
import { isIngress } from "../../ingress/locate.ts";
import type { Log } from "../../log.ts";
import { isPushHook } from "../../push-hooks/push-hook.ts";
import { withAccessLog } from "./access-log.ts";
import type { InheritedSockets } from "./inherited-sockets.ts";
import { listen } from "./listen.ts";
import { listenForProxy } from "./listen-for-proxy.ts";
import { withProxyWarning } from "./untrusted-proxy.ts";

interface Handlers {
  gate: Gate;
  pushHook: RequestListener;
  api: RequestListener;
  log: Log;
  publicUrl: () => string;
  /** Stands in front of every handler. */
  guarded(handler: RequestListener): RequestListener;
}

/**
 * Listens for everything, and where it is wished on an address for senders and forges alone.
 * @param stops gets what ends each listener, as soon as it listens
 * @param sockets what a service manager listens on already
 * @returns the port of the first
 */
export async function listenForAll(
  config: Config,
  { gate, pushHook, api, log, publicUrl, guarded }: Handlers,
  stops: (() => Promise<void> | void)[],
  sockets: InheritedSockets,
): Promise<number> {
  const logsRequests = config.logLevel === "debug" || config.logLevel === "trace";
  const { trustProxy } = config;
  const warning = (handler: RequestListener) => withProxyWarning(handler, { trustProxy, log });
  const logged = (handler: RequestListener) => warning(logsRequests ? withAccessLog(handler, log) : handler);
  const serveAll: RequestListener = (request, response) => {
    if (isIngress(request.url)) gate.handle(request, response);
    else if (isPushHook(request.url)) pushHook(request, response);
    else api(request, response);
  };
  // Forges come from where senders come from.
  const serveOutside: RequestListener = (request, response) =>
    isPushHook(request.url) ? pushHook(request, response) : gate.handle(request, response);
  const common = { log, publicUrl, keepAliveMs: config.keepAlive };
  const { port, close } = await listen(config.listen, logged(guarded(serveAll)), {
    ...common,
    socket: sockets.all,
  });
  stops.push(close);
  const proxy = await listenForProxy(config.proxySocket, logged(serveAll), {
    ...common,
    socket: sockets.proxy,
  });
  if (proxy) stops.push(proxy.close);
  const address = config.webhookListen ?? (sockets.webhooks === undefined ? undefined : config.listen);
  if (address) {
    const flag = "--webhook-listen or MILLRACE_WEBHOOK_LISTEN";
    const options = { ...common, flag, socket: sockets.webhooks };
    stops.push((await listen(address, logged(guarded(serveOutside)), options)).close);
  }
  return port;
}
