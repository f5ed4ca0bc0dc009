import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../given/chance.ts";
import { killServer } from "./faults.ts";
import type { Fleet } from "./fleet.ts";
import type { Harms } from "./harms.ts";
import { runsIn } from "./load.ts";

const LONGEST_PEACE_MS = 2_500;

/** The runs whose agents were at work when the server was killed, and nothing else was harmed. */
export interface ServerKills {
  kills: number;
  live: Set<string>;
}

/** Kills the server alone, again and again, while agents work. */
export async function killServerAlone(
  fleet: Fleet,
  { chance, harms, isOver }: { chance: Chance; harms: Harms; isOver: () => boolean },
): Promise<ServerKills> {
  const live = new Set<string>();
  let kills = 0;
  do {
    await sleep(500 + chance.next() * LONGEST_PEACE_MS);
    const started = fleet.witnesses.live();
    for (const { run_id } of await runsIn(fleet, "state=INPROGRESS"))
      if (started.has(run_id)) live.add(run_id);
    await harms.during(fleet.server.name, "server killed", () => killServer(fleet));
    kills += 1;
  } while (!isOver());
  return { kills, live };
}
