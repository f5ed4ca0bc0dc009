import { waitFor } from "../test/given/server.ts";
import { chanceFrom } from "./given/chance.ts";
import type { WholePart } from "./given/part.ts";
import { cutOffWorkers } from "./workers/cut-offs.ts";
import { endServer, harmAtRandom, strikeOn } from "./workers/faults.ts";
import { figuresOf } from "./workers/figures.ts";
import { type Fleet, openFleet } from "./workers/fleet.ts";
import { noteHarms } from "./workers/harms.ts";
import { startLoad } from "./workers/load.ts";
import { findDivisible } from "./workers/namespaces.ts";
import { all, ENDED_STATES, type EndedRun } from "./workers/runs-verdict.ts";
import { killServerAlone, type ServerKills } from "./workers/server-kills.ts";
import { settle } from "./workers/settle.ts";
import { startTalks } from "./workers/talks.ts";

/** Of the time of the part. */
const SERVER_KILLS = 0.3;
const CUT_OFFS = 0.25;
const MAX_CUTS = 20;
/** A session that takes messages lasts as long as its talk, and talks wait for the server too. */
const MAX_SESSION_SECONDS = 60;

/** Harms workers, their server, and the wires between them, each on a machine of its own as far as this one can be divided. */
export const workers: WholePart = {
  name: "workers",
  share: 0.2,
  async prove({ seconds, seed, mayFallBack = false, leastFaults = 0 }) {
    const divisible = findDivisible({ mayFallBack });
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
    const cutOffs = await cutOffWorkers(fleet, { chance, harms, isOver, most: MAX_CUTS });
    load.pace = "mixed";
    fleet.witnesses.endLongWork();
    const isEnough = () => until(1)() && harms.all.length >= leastFaults;
    const broken = await harmAtRandom(() => strikeOn(fleet, chance), { chance, harms, isOver: isEnough });

    await Promise.all([load.settle(), talks.settle()]);
    const stuck = await settle(fleet);
    return figuresOf(fleet, { load, talks, seconds, harms, kills, cutOffs, stuck, broken });
  },
};

/**
 * Lets the runs end that were live, and notes how. A run may be told to go on afterwards, and what harms its next turn says nothing
 * of the turn that was live.
 */
async function rest(fleet: Fleet, { live, endedAs }: ServerKills): Promise<void> {
  const haveEnded = async () => {
    for (const { run_id, state } of await all<EndedRun>(fleet, "/agent/runs", "runs"))
      if (live.has(run_id) && !endedAs.has(run_id) && ENDED_STATES.includes(state))
        endedAs.set(run_id, state);
    return endedAs.size === live.size;
  };
  await waitFor(async () => (await haveEnded()) || undefined, MAX_SESSION_SECONDS).catch(() => {});
}
