import type { Socket } from "node:net";
import { oneATurn } from "../../../concurrency/promises.ts";
import type { NetworkGuard, Target } from "../../../runs/turn/network-guard.ts";
import { NO_HOST, type ReachRecorder, type RefusalReason } from "../../../runs/turn/reaches.ts";
import { dial, notAllowed, resolveInTurn } from "./dial.ts";
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
