import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../test/given/server.ts";
import { chanceFrom } from "./given/chance.ts";
import type { WholePart } from "./given/part.ts";
import { watchAgents } from "./servers/cap-watch.ts";
import { openCluster } from "./servers/cluster.ts";
import { strikeOn } from "./servers/faults.ts";
import { figuresOf } from "./servers/figures.ts";
import { startProbes } from "./servers/probes.ts";
import { harmAtRandom } from "./workers/faults.ts";
import { noteHarms } from "./workers/harms.ts";
import { startLoad } from "./workers/load.ts";
import { findDivisible } from "./workers/namespaces.ts";
import { settle } from "./workers/settle.ts";
import { startTalks } from "./workers/talks.ts";

const SERVERS = 3;
const WORKERS = 3;
/** What was not taken so long after the last fault is stuck. */
const PATIENCE_MS = 45_000;

/** Harms several servers on one PostgreSQL, their workers, and the database itself. */
export const servers: WholePart = {
  name: "servers",
  share: 0.1,
  async prove({ seconds, seed, mayFallBack = false, leastFaults = 0, nodes = {} }) {
    const divisible = findDivisible({ mayFallBack });
    const chance = chanceFrom(seed);
    const cluster = await openCluster(divisible, {
      servers: nodes.servers ?? SERVERS,
      workers: nodes.workers ?? WORKERS,
    });
    const agents = watchAgents();
    const load = startLoad(cluster, chanceFrom(seed + 1));
    const talks = startTalks(cluster, chanceFrom(seed + 2));
    const probes = startProbes(cluster);
    const harms = noteHarms();
    await waitFor(() => cluster.witnesses.starts().length > 0 || undefined, 60);
    const began = performance.now();
    const isOver = () => performance.now() - began > seconds * 1_000 && harms.all.length >= leastFaults;
    const broken = await harmAtRandom(() => strikeOn(cluster, chance), { chance, harms, isOver });

    const senders = Promise.all([load.settle(), talks.settle(), probes.settle()]);
    await Promise.race([senders, sleep(PATIENCE_MS)]);
    const stuck = await settle(cluster);
    await agents.stop();
    return figuresOf(cluster, { load, talks, probes, agents, seconds, harms, stuck, broken });
  },
};
