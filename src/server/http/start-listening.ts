import { chmod, lstat, unlink } from "node:fs/promises";
import type { RequestListener } from "node:http";
import type { Readiness } from "../../api/admin/health.ts";
import type { Config } from "../../config/config.ts";
import { formatAddress } from "../../config/setting-rows.ts";
import { markAsProxied } from "../../edge/client-address.ts";
import { maskedPath } from "../../edge/masked-path.ts";
import { MillraceError } from "../../errors/error.ts";
import { isIngress } from "../../ingress/arrival.ts";
import type { Gate } from "../../ingress/gate.ts";
import { isPushHook } from "../../ingress/push-hooks/push-hook.ts";
import type { Log } from "../../log.ts";
import type { DataFolder } from "../../store/data-folder.ts";
import { endWithoutData } from "../data-guard.ts";
import type { Stops } from "../stops.ts";
import { type HttpListener, listen, loopbackUrl } from "./listen.ts";
import { withProxyWarning } from "./trusted-proxies.ts";

interface ListeningDeps {
  config: Config;
  data: Pick<DataFolder, "path" | "lock" | "database">;
  env: Record<string, string | undefined>;
  gate: Gate;
  pushHook: RequestListener;
  api: RequestListener;
  addresses: ReturnType<typeof createAddresses>;
  readiness: Pick<Readiness, "noticed">;
  log: Log;
  onFatal(error: Error): void;
}

/** Listens for requests, and ends that when nobody sends any more. Without its data folder the server refuses them. */
export async function startListening(
  { config, data, env, addresses, readiness, onFatal, ...handlers }: ListeningDeps,
  stops: Stops,
): Promise<void> {
  const kept = [data.path, data.lock, data.database];
  const { publicUrl } = addresses;
  const { guarded, stop } = await endWithoutData(kept, { publicUrl, log: handlers.log, onFatal });
  stops.push(stop);
  addresses.listensOn(
    await listenForAll(config, { ...handlers, publicUrl, guarded }, stops, inheritedSockets(env)),
  );
  stops.push(readiness.noticed);
}

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
async function listenForAll(
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

/** For the proxy's user by way of the group that it shares with the server. */
const OWNER_AND_GROUP = 0o660;

/**
 * Listens on a unix socket for a proxy of this machine. Who may open it is said by the modes of its file and folder; an agent
 * in a sandbox does not see it.
 * @param socket what a service manager listens on already
 */
async function listenForProxy(
  path: string | undefined,
  handler: RequestListener,
  { socket, ...given }: Parameters<typeof listen>[2],
): Promise<HttpListener | undefined> {
  const options = { ...given, flag: "MILLRACE_PROXY_SOCKET", onConnection: markAsProxied };
  if (socket !== undefined) return listen({ path: path ?? "" }, handler, { ...options, socket });
  if (path === undefined) return undefined;
  // What a server before this one has left: the data folder has one at a time.
  if ((await lstat(path).catch(() => undefined))?.isSocket()) await unlink(path);
  const listener = await listen({ path }, handler, options);
  await chmod(path, OWNER_AND_GROUP);
  return listener;
}

/** Logs each answer at the level debug: no query, no header, and no path segment that may be a credential. */
function withAccessLog(handler: RequestListener, log: Log): RequestListener {
  return (request, response) => {
    const began = performance.now();
    response.once("close", () => {
      const { statusCode: status, writableFinished: finished } = response;
      const ms = Math.round(performance.now() - began);
      log.debug(
        { method: request.method, path: maskedPath(request.url ?? ""), status, finished, ms },
        "request",
      );
    });
    handler(request, response);
  };
}

/** The URLs of this server, the port among them that the system may choose when it listens. */
export function createAddresses({ listen: { host, port }, publicUrl, webhookUrl }: Config) {
  let bound = port;
  const own = () => publicUrl ?? `http://${formatAddress(host, bound)}`;
  return {
    publicUrl: own,
    webhookUrl: () => webhookUrl ?? own(),
    ownUrl: () => loopbackUrl(host, bound),
    listensOn: (port: number) => {
      bound = port;
    },
  };
}

/** Sockets that were open before this process, as their file descriptors. */
interface InheritedSockets {
  /** For everything. */
  all: number | undefined;
  /** For senders and forges alone. */
  webhooks: number | undefined;
  /** For a proxy of this machine, which says who sent a request. */
  proxy: number | undefined;
}

const FIRST_DESCRIPTOR = 3;
/** What `FileDescriptorName=` says of sockets that are not for everybody and everything. */
const NAMES = ["webhooks", "proxy"] as const;

/**
 * The sockets that a service manager listens on and hands over (sd_listen_fds(3)): they stay open while one process takes
 * the place of another, so that no one who connects in the meantime is refused.
 * @throws MillraceError `invalid_request` when there are more than this program knows what to do with
 */
function inheritedSockets(env: Record<string, string | undefined>, pid = process.pid): InheritedSockets {
  const none: InheritedSockets = { all: undefined, webhooks: undefined, proxy: undefined };
  // They may have been meant for a program that has started this one.
  if (Number(env.LISTEN_PID) !== pid) return none;
  const count = Number(env.LISTEN_FDS ?? 0);
  const names = (env.LISTEN_FDNAMES ?? "").split(":");
  const passed = Array.from({ length: count }, (_, index) => ({
    name: NAMES.find((name) => name === names[index]) ?? ("all" as const),
    descriptor: FIRST_DESCRIPTOR + index,
  }));
  const sockets = Object.fromEntries(passed.map(({ name, descriptor }) => [name, descriptor]));
  if (Object.keys(sockets).length === count) return { ...none, ...sockets };
  throw new MillraceError(
    "invalid_request",
    `The service manager passed ${count} sockets, which is too many.`,
    {
      remedy: `Configure one socket for all requests, and at most one more for each FileDescriptorName of ${NAMES.join(" and ")}.`,
    },
  );
}
