import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../given/chance.ts";
import { endMain, type Fault, OF_WORKERS, pauseOf, type Strike } from "../workers/faults.ts";
import { LEASE_MS } from "../workers/fleet.ts";
import type { Cluster } from "./cluster.ts";
import { failOver, hasStandbys } from "./fail-over.ts";
import { DATABASE } from "./postgres.ts";
import type { ServerNode } from "./server-node.ts";

const SHORTEST_MS = 1_000;
/** Longer than a lease: others take what is lost while its holder is away. */
const MAX_MS = 1.4 * LEASE_MS;
/** Of all faults. */
const OF_SERVERS_SHARE = 0.4;
const OF_POSTGRES_SHARE = 0.2;

async function endServer(server: ServerNode, signal: NodeJS.Signals): Promise<void> {
  await endMain(server, signal);
  await server.ready();
}

function wireFault(kind: "cut" | "swallow"): Fault<ServerNode>["act"] {
  return async (server, ms) => {
    await server.wire({ kind });
    await sleep(ms);
    await server.wire({ kind: "pass" });
  };
}

const OF_SERVERS: readonly Fault<ServerNode>[] = [
  { kind: "server killed", act: (server) => endServer(server, "SIGKILL") },
  { kind: "server killed", act: (server) => endServer(server, "SIGKILL") },
  { kind: "server restarted", act: (server) => endServer(server, "SIGTERM") },
  { kind: "server paused", act: pauseOf("main") },
  { kind: "server paused", act: pauseOf("main") },
  { kind: "database cut", act: wireFault("cut") },
  { kind: "database swallowed", act: wireFault("swallow") },
  { kind: "database swallowed", act: wireFault("swallow") },
  {
    kind: "server unplugged",
    async act(server, ms) {
      if (!server.plug) return wireFault("swallow")(server, ms);
      server.plug(false);
      await sleep(ms);
      server.plug(true);
    },
  },
  {
    kind: "server lost",
    async act(server) {
      await server.loseAndReplace();
      await server.ready();
    },
  },
  { kind: "server's supervisor killed", act: async (server) => void server.signal("supervisor", "SIGKILL") },
];

const OF_POSTGRES: readonly Fault<Cluster>[] = [
  {
    kind: "connections terminated",
    act: async ({ postgres }) =>
      void (await postgres.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${DATABASE}'`,
      )),
  },
  {
    kind: "postgres crashed",
    async act({ postgres }) {
      await postgres.crash();
      await postgres.start();
    },
  },
  { kind: "failed over", act: failOver },
];

/** Chooses what to do to a cluster next. */
export function strikeOn(cluster: Cluster, chance: Chance): Strike {
  // Chances are taken in one order whatever is chosen, so that a seed is the same proof again.
  const share = chance.next();
  const [server, worker] = [chance.oneOf(cluster.servers), chance.oneOf(cluster.workers)];
  const ofServer = chance.oneOf(OF_SERVERS);
  const ofPostgres = chance.oneOf(OF_POSTGRES.filter(({ act }) => act !== failOver || hasStandbys()));
  const ofWorker = chance.oneOf(OF_WORKERS);
  const ms = SHORTEST_MS + chance.next() * (MAX_MS - SHORTEST_MS);
  if (share < OF_SERVERS_SHARE)
    return { node: server.name, kind: ofServer.kind, act: () => ofServer.act(server, ms) };
  if (share < OF_SERVERS_SHARE + OF_POSTGRES_SHARE)
    return { node: "postgres", kind: ofPostgres.kind, act: () => ofPostgres.act(cluster, ms) };
  return { node: worker.name, kind: ofWorker.kind, act: () => ofWorker.act(worker, ms) };
}
