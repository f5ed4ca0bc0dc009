import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../../test/given/server.ts";
import type { Chance } from "../given/chance.ts";
import { type Fleet, type FleetWorker, LEASE_MS, type WireState } from "./fleet.ts";
import type { Harms } from "./harms.ts";
import type { FleetNode } from "./node.ts";

const LONGEST_PEACE_MS = 2_000;
/** So many nodes are harmed at the same time at most; never all of them. */
const MOST_AT_ONCE = 3;
const SHORTEST_MS = 1_000;
const BACK_SECONDS = 60;

/** Something that may be done to a node; chance has decided for how long. */
interface Fault<Node> {
  kind: string;
  act(node: Node, ms: number): Promise<void>;
}

function pauseOf(what: "main" | "supervisor" | "all"): Fault<FleetNode>["act"] {
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
async function endMain(node: FleetNode, signal: NodeJS.Signals): Promise<void> {
  const before = await waitFor(() => node.main(), BACK_SECONDS);
  node.signal("main", signal);
  await waitFor(() => {
    const now = node.main();
    return (now !== undefined && now !== before) || undefined;
  }, BACK_SECONDS);
}

const OF_WORKERS: readonly Fault<FleetWorker>[] = [
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

/** Harms nodes at random, several at a time, until it is over; all are well when it returns. */
export async function harmAtRandom(
  fleet: Fleet,
  { chance, harms, isOver }: { chance: Chance; harms: Harms; isOver: () => boolean },
): Promise<string[]> {
  const broken: string[] = [];
  const under = new Map<string, Promise<void>>();
  while (!isOver()) {
    await sleep(chance.next() * LONGEST_PEACE_MS);
    // Chances are taken whether the node is well or not: how long it takes must not change which faults are chosen.
    const isOfServer = chance.of(0.25);
    const worker = chance.oneOf(fleet.workers);
    const [ofWorker, ofServer] = [chance.oneOf(OF_WORKERS), chance.oneOf(OF_THE_SERVER)];
    const ms = SHORTEST_MS + chance.next() * (LEASE_MS - SHORTEST_MS);
    const { name } = isOfServer ? fleet.server : worker;
    if (under.has(name) || under.size >= MOST_AT_ONCE) continue;
    const kind = isOfServer ? ofServer.kind : ofWorker.kind;
    const act = () => (isOfServer ? ofServer.act(fleet, ms) : ofWorker.act(worker, ms));
    under.set(
      name,
      harms
        .during(name, kind, act)
        .catch((error) => void broken.push(`after "${kind}", ${name} did not come back: ${error}`))
        .finally(() => under.delete(name)),
    );
  }
  await Promise.all(under.values());
  return broken;
}
