import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../test/given/server.ts";
import { chanceFrom } from "./given/chance.ts";
import type { Figures, WholePart } from "./given/part.ts";
import { cutOffWorkers } from "./workers/cut-offs.ts";
import { harmAtRandom } from "./workers/faults.ts";
import { CONCURRENCY, type Fleet, LEASE_MS, openFleet } from "./workers/fleet.ts";
import { noteHarms } from "./workers/harms.ts";
import { countOpen, type Load, startLoad } from "./workers/load.ts";
import { findDivisible } from "./workers/namespaces.ts";
import { all, type EndedRun, judgeRuns, type LoggedDelivery } from "./workers/runs-verdict.ts";
import { killServerAlone, type ServerKills } from "./workers/server-kills.ts";
import { compareTranscripts } from "./workers/transcripts.ts";

/** Of the time of the part. */
const SERVER_KILLS = 0.3;
const CUT_OFFS = 0.25;
const MOST_CUTS = 20;
/** What agents of runs that go on need at most, in milliseconds. */
const LONGEST_AGENT_MS = 12_000;
const WORKERS = 3;
/** Of the runs that were live when only the server was killed. */
const LEAST_SUCCEEDED = 0.99;

/** Harms workers, their server, and the wires between them, each on a machine of its own as far as this one can be divided. */
export const workers: WholePart = {
  name: "workers",
  share: 0.2,
  async prove({ seconds, seed, mayFallBack = false }) {
    const divisible = findDivisible();
    if (!divisible.networks && !mayFallBack)
      throw new Error(
        "Each node needs a network of its own, and none can be created here. Run the proof as root, with iproute2 installed.",
      );
    const chance = chanceFrom(seed);
    const fleet = await openFleet(divisible);
    const load = startLoad(fleet, chanceFrom(seed + 1));
    const harms = noteHarms();
    const began = performance.now();
    const until = (share: number) => () => performance.now() - began > seconds * 1_000 * share;
    await waitFor(() => fleet.witnesses.starts().length > 0 || undefined, 60);

    const kills = await killServerAlone(fleet, { chance, harms, isOver: until(SERVER_KILLS) });
    await rest(fleet, kills);
    load.pace = "long";
    const isOver = until(SERVER_KILLS + CUT_OFFS);
    const cutOffs = await cutOffWorkers(fleet, { chance, harms, isOver, most: MOST_CUTS });
    load.pace = "mixed";
    const broken = await harmAtRandom(fleet, { chance, harms, isOver: until(1) });

    const stuck = await settle(fleet, load);
    return figuresOf(fleet, { load, seconds, harms: harms.all, kills, cutOffs, stuck, broken });
  },
};

type Proven = {
  load: Load;
  seconds: number;
  harms: ReturnType<typeof noteHarms>["all"];
  kills: ServerKills;
  cutOffs: Awaited<ReturnType<typeof cutOffWorkers>>;
  stuck: string[];
  broken: string[];
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
async function settle(fleet: Fleet, load: Load): Promise<string[]> {
  await load.settle();
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
  ];
}

async function figuresOf(fleet: Fleet, proven: Proven): Promise<Figures> {
  const { load, seconds, harms, kills, cutOffs } = proven;
  const runs = await all<EndedRun>(fleet, "/agent/runs", "runs");
  const logs = Object.values(fleet.paths).map((path) =>
    all<LoggedDelivery>(fleet, `/factories/acme/webhooks/${path.split("/").at(-1)}/deliveries`, "deliveries"),
  );
  const deliveries = (await Promise.all(logs)).flat();
  const starts = fleet.witnesses.starts().sort((a, b) => a.atMs - b.atMs);
  const verdict = judgeRuns({ sent: load.sent, deliveries, runs, starts, harms });
  const transcripts = await compareTranscripts(fleet, runs);

  const states = new Map(runs.map(({ run_id, state }) => [run_id, state]));
  const succeeded = [...kills.live].filter((run) => states.get(run) === "SUCCEEDED").length;
  const share = kills.live.size === 0 ? 1 : succeeded / kills.live.size;
  const tooFew =
    share < LEAST_SUCCEEDED
      ? [`of ${kills.live.size} live runs, ${succeeded} have succeeded after kills of the server`]
      : [];
  const counts = new Map<string, number>();
  for (const { kind } of harms) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const note = [
    `${kills.kills} kills of the server alone, ${succeeded} of ${kills.live.size} live runs succeeded`,
    `agents gone before the lease ended after ${cutOffs.goneInTime} of ${cutOffs.cuts} cuts`,
    `${transcripts.whole} transcripts of runs that succeeded are equal to what agents wrote, ${transcripts.parts} of others are how it begins`,
    `${load.counts.followUps} follow-ups`,
    `faults: ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(", ")}`,
    ...(fleet.divisible.networks ? [] : ["the nodes share the network of this machine"]),
  ].join("; ");
  return {
    part: "workers",
    seconds,
    faults: harms.length,
    requests: load.counts.requests,
    taken: load.counts.taken,
    duplicates: deliveries.filter(({ outcome }) => outcome === "Duplicate").length,
    refused: load.counts.refused,
    runs: runs.length,
    cutOff: verdict.cutOff,
    lost: [...verdict.lost, ...tooFew],
    doubled: verdict.doubled,
    stuck: [...verdict.stuck, ...proven.stuck],
    broken: [...proven.broken, ...load.broken, ...cutOffs.late, ...transcripts.different],
    note,
  };
}
