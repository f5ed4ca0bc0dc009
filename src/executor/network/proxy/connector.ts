import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { oneATurn } from "../../../concurrency/promises.ts";
import { errorMessage } from "../../../errors/error.ts";
import { resolveHost } from "../../../outbound/address-rules.ts";
import { openTunnel } from "../../../outbound/proxy-tunnel.ts";
import { proxyOf } from "../../../platform/proxies.ts";
import type { NetworkGuard, Target } from "../../../runs/turn/network-guard.ts";
import { NO_HOST, type ReachRecorder, type RefusalReason } from "../../../runs/turn/reaches.ts";
import { Refusal, refusalText } from "./refusal.ts";
import { joinSockets } from "./tunnel.ts";

/** Passes on what a program and its target send from now on. @param head what the program has sent already */
export type Join = (client: Socket, head: Buffer) => void;

/** Connects the programs of one run to what they may reach, and records it. */
export interface Connector {
  /** Connects to a target for a request. @throws Refusal, which is recorded */
  open(target: Target | undefined, method: string | undefined): Promise<Socket>;
  /** Connects a program to a target, or to what stands for it. @throws Refusal, which is recorded */
  tunnel(target: Target | undefined): Promise<Join>;
  refuse(target: Target | undefined, reason: RefusalReason): void;
  /** Ends all connections. */
  close(): void;
}

interface ConnectorDeps {
  guard: NetworkGuard;
  reaches: ReachRecorder;
  /** What takes connections to a target in its place. */
  standIn(target: Target): Join | undefined;
  /** Variables with proxies that this machine has to use. */
  proxies?: Readonly<Record<string, string>> | undefined;
}

const MAX_CONNECTIONS = 256;

export function createConnector({ guard, reaches, standIn, proxies }: ConnectorDeps): Connector {
  const connected = new Set<Socket>();
  const resolve = resolveInTurn();
  const inTurn = oneATurn();
  let opening = 0;

  function refuse(target: Target | undefined, reason: RefusalReason): void {
    reaches.refused(target?.host ?? NO_HOST, target?.port ?? 0, reason);
  }

  async function connect(target: Target): Promise<Socket> {
    if (connected.size + opening >= MAX_CONNECTIONS)
      throw new Refusal("too_many_connections", `this run has ${MAX_CONNECTIONS} connections open already`);
    opening += 1;
    try {
      const socket = await dial(target, { guard, proxies, resolve });
      connected.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => connected.delete(socket));
      reaches.reached(target.host, target.port);
      return socket;
    } finally {
      opening -= 1;
    }
  }

  async function recorded<Outcome>(
    target: Target | undefined,
    use: (target: Target) => Promise<Outcome>,
  ): Promise<Outcome> {
    try {
      if (!target) throw new Refusal("invalid", "the request names no host and port");
      return await use(target);
    } catch (error) {
      refuse(target, refusalText(error).reason);
      throw error;
    }
  }

  return {
    refuse,
    open: (wanted, method) =>
      recorded(wanted, async (target) => {
        // The host would send the request back, with the secrets that the proxy has put into it (RFC 9110 section 9.3.8).
        if (method === "TRACE")
          throw new Refusal("invalid", "requests with the method TRACE are not passed on");
        return connect(target);
      }),
    tunnel: (wanted) =>
      recorded(wanted, async (target) => {
        await new Promise<void>(inTurn);
        const stand = standIn(target);
        if (stand) {
          if (!guard.allows(target)) throw notAllowed(target);
          return stand;
        }
        const server = await connect(target);
        const onMismatch = () => refuse(target, "host_mismatch");
        return (client, head) => joinSockets(client, server, target, { head, onMismatch });
      }),
    close() {
      for (const socket of connected) socket.destroy();
    },
  };
}

/** Finds the addresses of a host. @throws when there are none to be found */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Names that are slow to resolve take threads that the names of other runs wait for. */
const MAX_LOOKUPS = 2;

/** Resolves names for one run: what is beyond a few at once waits, in its order. */
export function resolveInTurn(resolve: Resolve = resolveHost): Resolve {
  const waiting: (() => void)[] = [];
  let free = MAX_LOOKUPS;
  return async (host) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((goOn) => waiting.push(goOn));
    try {
      return await resolve(host);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** How long a connection may take to be there. */
const CONNECT_MS = 30_000;
/** How long one address of a name may take before the next one is tried; the last one has the rest of the time. */
const NEXT_ADDRESS_MS = 500;

interface DialDeps {
  guard: NetworkGuard;
  resolve: Resolve;
  /** Variables with proxies that this machine has to use. */
  proxies?: Readonly<Record<string, string>> | undefined;
}

/**
 * Connects to a target that the guard allows. The name is resolved here, once: what was checked is what is connected to.
 * @throws Refusal
 */
export async function dial(target: Target, deps: DialDeps): Promise<Socket> {
  const { guard, proxies = {} } = deps;
  if (!guard.allows(target)) throw notAllowed(target);
  const proxy = proxyOfTarget(target, proxies);
  if (proxy !== undefined) return throughProxy(target, proxy, deps);
  const addresses = await addressesOf(target, deps);
  const permitted = addresses.filter(({ address }) => guard.permits(target, address));
  // One outside and one inside would leave the choice to whoever fails the first.
  if (permitted.length < addresses.length) throw toPrivate(target);
  return connectTo(addresses, target).catch(() => {
    throw new Refusal("unreachable", `${shown(target)} could not be reached`);
  });
}

/** This machine itself is never asked through another one. */
function proxyOfTarget({ host, port }: Target, proxies: Readonly<Record<string, string>>): URL | undefined {
  if (/^(localhost|127\..*|::1)$/.test(host)) return undefined;
  const named = isIP(host) === 6 ? `[${host}]` : host;
  const proxy = proxyOf(new URL(`${port === 80 ? "http" : "https"}://${named}:${port}`), proxies);
  return proxy !== undefined && /^https?:/.test(proxy) && URL.canParse(proxy) ? new URL(proxy) : undefined;
}

/**
 * A proxy resolves names itself, so that an address which this machine finds is checked, and another one is up to the proxy. Where
 * names lead is often known to the proxy alone.
 */
async function throughProxy(target: Target, proxy: URL, deps: DialDeps): Promise<Socket> {
  const addresses = await addressesOf(target, deps).catch(() => []);
  if (!addresses.every(({ address }) => deps.guard.permits(target, address))) throw toPrivate(target);
  const { host: address, port } = target;
  return openTunnel({ proxy, address, port, signal: AbortSignal.timeout(CONNECT_MS) }).catch((error) => {
    throw new Refusal("unreachable", `${shown(target)} could not be reached: ${errorMessage(error)}`);
  });
}

async function addressesOf(
  target: Target,
  { resolve }: Pick<DialDeps, "resolve">,
): Promise<readonly LookupAddress[]> {
  const family = isIP(target.host);
  if (family !== 0) return [{ address: target.host, family }];
  const found = await resolve(target.host).catch(() => []);
  if (found.length === 0) throw new Refusal("unresolved", `${target.host} could not be resolved`);
  return found;
}

/** Tries one address after the other, of both families in turn: a route that leads nowhere must not hold up the others. */
async function connectTo(addresses: readonly LookupAddress[], { host, port }: Target): Promise<Socket> {
  const socket = connect({
    host,
    port,
    noDelay: true,
    allowHalfOpen: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    // What has been checked, and nothing that the name may lead to by now.
    lookup: (_, __, done) => done(null, [...addresses]),
  });
  const signal = AbortSignal.timeout(CONNECT_MS);
  try {
    await once(socket, "connect", { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** A target that the policy of the run does not list. */
function notAllowed(target: Target): Refusal {
  return new Refusal(
    "not_allowed",
    `${shown(target)} is not in the allowlist of this run. Add it under millrace: network: allow: in the automation, the agent, the runner or factory.yaml.`,
  );
}

function toPrivate(target: Target): Refusal {
  return new Refusal(
    "private_address",
    `${shown(target)} leads to a private address that the allowlist of this run does not name. Add the address or its network to the list.`,
  );
}

const shown = ({ host, port }: Target) => (isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`);
