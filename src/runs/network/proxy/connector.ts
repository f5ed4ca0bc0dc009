import type { Socket } from "node:net";
import type { NetworkGuard, Target } from "../network-guard.ts";
import { NO_HOST, type ReachRecorder, type RefusalReason } from "../reaches.ts";
import { dial } from "./dial.ts";
import { Refusal, refusalText } from "./refusal.ts";
import { joinSockets } from "./tunnel.ts";

/** Connects the programs of one run to what they may reach, and records it. */
export interface Connector {
  /**
   * Connects to a target.
   * @throws Refusal, which is recorded
   */
  open(target: Target | undefined): Promise<Socket>;
  /** Passes on what both sides send from now on. */
  join(client: Socket, server: Socket, head: Buffer): void;
  refuse(target: Target | undefined, reason: RefusalReason): void;
  /** Ends all connections. */
  close(): void;
}

const MAX_CONNECTIONS = 256;

export function createConnector(guard: NetworkGuard, reaches: ReachRecorder): Connector {
  const open = new Map<Socket, Target>();
  let opening = 0;

  function refuse(target: Target | undefined, reason: RefusalReason): void {
    reaches.refused(target?.host ?? NO_HOST, target?.port ?? 0, reason);
  }

  async function connect(target: Target | undefined): Promise<Socket> {
    if (!target) throw new Refusal("invalid", "the request names no host and port");
    if (open.size + opening >= MAX_CONNECTIONS)
      throw new Refusal("too_many_connections", `this run has ${MAX_CONNECTIONS} connections open already`);
    opening += 1;
    try {
      const socket = await dial(target, guard);
      open.set(socket, target);
      socket.on("error", () => {});
      socket.once("close", () => open.delete(socket));
      return socket;
    } finally {
      opening -= 1;
    }
  }

  return {
    refuse,
    async open(target) {
      try {
        const socket = await connect(target);
        if (target) reaches.reached(target.host, target.port);
        return socket;
      } catch (error) {
        refuse(target, refusalText(error).reason);
        throw error;
      }
    },
    join(client, server, head) {
      const target = open.get(server);
      if (!target) return void client.destroy();
      joinSockets(client, server, target, { head, onMismatch: () => refuse(target, "host_mismatch") });
    },
    close() {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}
