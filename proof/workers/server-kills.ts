import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../given/chance.ts";
import { endServer } from "./faults.ts";
import type { Fleet } from "./fleet.ts";
import type { Harms } from "./harms.ts";
import { runsIn } from "./load.ts";

/** Every worker is heard between two kills: a server that is away for as long as that takes too is a longer absence. */
const SHORTEST_PEACE_MS = 2_000;
const MAX_PEACE_MS = 4_000;

/** The runs whose agents were at work when the server was killed, and nothing else was harmed. */
export interface ServerKills {
  kills: number;
  live: Set<string>;
  /** The states in which those that were live have ended before anything else was harmed. */
  endedAs: Map<string, string>;
  /** For how long no server was ready after each kill, in milliseconds. */
  absencesMs: number[];
}

/** Kills the server alone, again and again, while agents work. */
export async function killServerAlone(
  fleet: Fleet,
  { chance, harms, isOver }: { chance: Chance; harms: Harms; isOver: () => boolean },
): Promise<ServerKills> {
  const live = new Set<string>();
  const absencesMs: number[] = [];
  do {
    await sleep(SHORTEST_PEACE_MS + chance.next() * (MAX_PEACE_MS - SHORTEST_PEACE_MS));
    const started = fleet.witnesses.live();
    for (const { run_id } of await runsIn(fleet, "state=INPROGRESS"))
      if (started.has(run_id)) live.add(run_id);
    const killedAt = performance.now();
    await harms.during(fleet.server.name, "server killed", () => endServer(fleet, "SIGKILL"));
    absencesMs.push(performance.now() - killedAt);
  } while (!isOver());
  return { kills: absencesMs.length, live, endedAs: new Map(), absencesMs };
}
