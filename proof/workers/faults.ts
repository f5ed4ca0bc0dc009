import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../../test/given/server.ts";
import type { Chance } from "../given/chance.ts";
import { type Fleet, LEASE_MS } from "./fleet.ts";
import type { FleetWorker, WireState } from "./fleet-worker.ts";
import type { Harms } from "./harms.ts";
import type { FleetNode } from "./node.ts";

const MAX_PEACE_MS = 2_000;
/** So many nodes are harmed at the same time at most; never all of them. */
const MAX_AT_ONCE = 3;
const SHORTEST_MS = 1_000;
export const BACK_SECONDS = 60;

/** Something that may be done to a node; chance has decided for how long. */
export interface Fault<Node> {
  kind: string;
  act(node: Node, ms: number): Promise<void>;
}

export function pauseOf(what: "main" | "supervisor" | "all"): Fault<FleetNode>["act"] {
  return async (node, ms) => {
    node.signal(what, "SIGSTOP");
    await sleep(ms);
    node.signal(what, "SIGCONT");
  };
}

function wireFault(state: WireState): Fault<FleetWorker>["act"] {
  return async (worker, ms) => {
    await worker.wire(state);
    await sleep(ms);
    await worker.wire({ kind: "pass" });
  };
}

/** Ends the program, and waits until another one has come in its place. */
export async function endMain(node: FleetNode, signal: NodeJS.Signals): Promise<void> {
  const before = await waitFor(() => node.main(), BACK_SECONDS);
  node.signal("main", signal);
  await waitFor(() => {
    const now = node.main();
    return (now !== undefined && now !== before) || undefined;
  }, BACK_SECONDS);
}

export const OF_WORKERS: readonly Fault<FleetWorker>[] = [
  { kind: "worker killed", act: (worker) => endMain(worker, "SIGKILL") },
  { kind: "worker killed", act: (worker) => endMain(worker, "SIGKILL") },
  { kind: "worker restarted", act: (worker) => endMain(worker, "SIGTERM") },
  { kind: "worker paused", act: pauseOf("main") },
  { kind: "supervisor killed", act: async (worker) => void worker.signal("supervisor", "SIGKILL") },
  { kind: "supervisor killed", act: async (worker) => void worker.signal("supervisor", "SIGKILL") },
  { kind: "supervisor paused", act: pauseOf("supervisor") },
  { kind: "machine paused", act: pauseOf("all") },
  { kind: "machine lost", act: (worker) => worker.loseAndReplace() },
  { kind: "agent killed", act: async (worker) => void worker.signal("agent", "SIGKILL") },
  { kind: "cut", act: wireFault({ kind: "cut" }) },
  { kind: "swallowed", act: wireFault({ kind: "swallow" }) },
  { kind: "delayed", act: wireFault({ kind: "delay", ms: 2_500 }) },
  { kind: "answers lost", act: wireFault({ kind: "lose", every: 2 }) },
  { kind: "double", act: wireFault({ kind: "double", ms: 3_000 }) },
  {
    kind: "unplugged",
    async act(worker, ms) {
      if (!worker.plug) return wireFault({ kind: "swallow" })(worker, ms);
      worker.plug(false);
      await sleep(ms);
      worker.plug(true);
    },
  },
];

/** Ends the server, and waits until the next one is ready. */
export async function endServer({ server, isReady }: Fleet, signal: NodeJS.Signals): Promise<void> {
  await endMain(server, signal);
  await waitFor(async () => (await isReady()) || undefined, BACK_SECONDS);
}

const OF_THE_SERVER: readonly Fault<Fleet>[] = [
  { kind: "server killed", act: (fleet) => endServer(fleet, "SIGKILL") },
  { kind: "server killed", act: (fleet) => endServer(fleet, "SIGKILL") },
  { kind: "server restarted", act: (fleet) => endServer(fleet, "SIGTERM") },
  { kind: "server paused", act: ({ server }, ms) => pauseOf("main")(server, ms) },
];

/** Something that is about to be done to a node. */
export interface Strike {
  node: string;
  kind: string;
  act(): Promise<void>;
}

/** Chooses what to do to a fleet next. */
export function strikeOn(fleet: Fleet, chance: Chance): Strike {
  // Chances are taken in one order whatever is chosen, so that a seed is the same proof again.
  const isOfServer = chance.of(0.25);
  const worker = chance.oneOf(fleet.workers);
  const [ofWorker, ofServer] = [chance.oneOf(OF_WORKERS), chance.oneOf(OF_THE_SERVER)];
  const ms = SHORTEST_MS + chance.next() * (LEASE_MS - SHORTEST_MS);
  return isOfServer
    ? { node: fleet.server.name, kind: ofServer.kind, act: () => ofServer.act(fleet, ms) }
    : { node: worker.name, kind: ofWorker.kind, act: () => ofWorker.act(worker, ms) };
}

/** Harms nodes at random, several at a time, until it is over; all are well when it returns. */
export async function harmAtRandom(
  choose: () => Strike,
  { chance, harms, isOver }: { chance: Chance; harms: Harms; isOver: () => boolean },
): Promise<string[]> {
  const broken: string[] = [];
  const under = new Map<string, Promise<void>>();
  while (!isOver()) {
    await sleep(chance.next() * MAX_PEACE_MS);
    // Chosen whether the node is well or not: how long it takes must not change which faults are chosen.
    const { node, kind, act } = choose();
    if (under.has(node) || under.size >= MAX_AT_ONCE) continue;
    under.set(
      node,
      harms
        .during(node, kind, act)
        .catch((error) => void broken.push(`after "${kind}", ${node} did not come back: ${error}`))
        .finally(() => under.delete(node)),
    );
  }
  await Promise.all(under.values());
  return broken;
}
