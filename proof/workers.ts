import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../test/given/server.ts";
import { chanceFrom } from "./given/chance.ts";
import type { WholePart } from "./given/part.ts";
import { cutOffWorkers } from "./workers/cut-offs.ts";
import { endServer, harmAtRandom } from "./workers/faults.ts";
import { figuresOf } from "./workers/figures.ts";
import { CONCURRENCY, type Fleet, LEASE_MS, openFleet } from "./workers/fleet.ts";
import { noteHarms } from "./workers/harms.ts";
import { countOpen, listOpen, startLoad } from "./workers/load.ts";
import { findDivisible } from "./workers/namespaces.ts";
import { all, type EndedRun } from "./workers/runs-verdict.ts";
import { killServerAlone, type ServerKills } from "./workers/server-kills.ts";
import { startTalks } from "./workers/talks.ts";

/** Of the time of the part. */
const SERVER_KILLS = 0.3;
const CUT_OFFS = 0.25;
const MOST_CUTS = 20;
/** What agents of runs that go on need at most, in milliseconds. */
const LONGEST_AGENT_MS = 12_000;
const WORKERS = 3;

/** Harms workers, their server, and the wires between them, each on a machine of its own as far as this one can be divided. */
export const workers: WholePart = {
  name: "workers",
  share: 0.2,
  async prove({ seconds, seed, mayFallBack = false, leastFaults = 0 }) {
    const divisible = findDivisible();
    if (!divisible.networks && !mayFallBack)
      throw new Error(
        "Each node needs a network of its own, and none can be created here. Run the proof as root, with iproute2 installed.",
      );
    const chance = chanceFrom(seed);
    const fleet = await openFleet(divisible);
    const load = startLoad(fleet, chanceFrom(seed + 1));
    const talks = startTalks(fleet, chanceFrom(seed + 2));
    const harms = noteHarms();
    const began = performance.now();
    const until = (share: number) => () => performance.now() - began > seconds * 1_000 * share;
    await waitFor(() => fleet.witnesses.starts().length > 0 || undefined, 60);

    const kills = await killServerAlone(fleet, { chance, harms, isOver: until(SERVER_KILLS) });
    await rest(fleet, kills);
    fleet.shortenLease();
    await harms.during(fleet.server.name, "server restarted", () => endServer(fleet, "SIGTERM"));
    load.pace = "long";
    const isOver = until(SERVER_KILLS + CUT_OFFS);
    const cutOffs = await cutOffWorkers(fleet, { chance, harms, isOver, most: MOST_CUTS });
    load.pace = "mixed";
    const isEnough = () => until(1)() && harms.all.length >= leastFaults;
    const broken = await harmAtRandom(fleet, { chance, harms, isOver: isEnough });

    await Promise.all([load.settle(), talks.settle()]);
    const stuck = await settle(fleet);
    return figuresOf(fleet, { load, talks, seconds, harms, kills, cutOffs, stuck, broken });
  },
};

/** Lets the runs end that were live, so that nothing which is done later explains how they end. */
async function rest(fleet: Fleet, { live }: ServerKills): Promise<void> {
  const isOpen = async () => {
    const ended = await all<EndedRun>(fleet, "/agent/runs", "runs");
    return ended.some(({ run_id, state }) => live.has(run_id) && ["CLAIMED", "INPROGRESS"].includes(state));
  };
  await waitFor(async () => !(await isOpen()) || undefined, (2 * LEASE_MS + LONGEST_AGENT_MS) / 1_000).catch(
    () => {},
  );
}

/** Waits until all runs have ended, for as long as agents need and two leases. @returns a sentence if they have not */
async function settle(fleet: Fleet): Promise<string[]> {
  const open = await countOpen(fleet);
  const rounds = Math.ceil(open / (WORKERS * CONCURRENCY)) + 1;
  const limitMs = 2 * LEASE_MS + rounds * LONGEST_AGENT_MS;
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if ((await countOpen(fleet)) === 0) return [];
    await sleep(200);
  }
  return [
    `${await countOpen(fleet)} of ${open} runs have not ended ${limitMs / 1_000} s after the last fault`,
    ...(await describeOpen(fleet)),
  ];
}

/** What is known of the runs that have not ended: where their agents have started, and whether these are there still. */
async function describeOpen(fleet: Fleet): Promise<string[]> {
  const starts = fleet.witnesses.starts();
  const alive = fleet.workers.map(({ name, agents }) => `${agents().length} on ${name}`).join(", ");
  return (await listOpen(fleet)).map(({ run_id, state }) => {
    const own = starts.filter(({ run }) => run === run_id).map(({ turn, worker }) => `${turn} on ${worker}`);
    return `run ${run_id} is ${state}; its turns have started: ${own.join(", ") || "none"}; agents alive: ${alive}`;
  });
}
