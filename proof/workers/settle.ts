import { setTimeout as sleep } from "node:timers/promises";
import { LEASE_MS } from "./fleet.ts";
import { CONCURRENCY } from "./fleet-worker.ts";
import { countOpen, listOpen } from "./load.ts";
import type { Site } from "./site.ts";
import type { Start } from "./witnesses.ts";

/** What agents of runs that go on need at most, in milliseconds. */
const MAX_AGENT_MS = 12_000;

/** Waits until all runs have ended, for as long as agents need and two leases. @returns a sentence if they have not */
export async function settle(site: Site): Promise<string[]> {
  const open = await countOpen(site);
  const rounds = Math.ceil(open / (site.workers.length * CONCURRENCY)) + 1;
  const limitMs = 2 * LEASE_MS + rounds * MAX_AGENT_MS;
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    if ((await countOpen(site)) === 0) return [];
    await sleep(200);
  }
  return [
    `${await countOpen(site)} of ${open} runs have not ended ${limitMs / 1_000} s after the last fault`,
    ...(await describeOpen(site)),
  ];
}

/** What is known of the runs that have not ended: where their agents have started, and whether these are there still. */
async function describeOpen(site: Site): Promise<string[]> {
  const starts = site.witnesses.starts();
  const alive = site.workers.map(({ name, agents }) => `${agents().length} on ${name}`).join(", ");
  return (await listOpen(site)).map(({ run_id, state }) => {
    const own = starts
      .filter(({ run }) => run === run_id)
      .map((start) => `${start.turn} on ${start.worker} ${describeStart(site, start)}`);
    return `run ${run_id} is ${state}; its turns have started: ${own.join(", ") || "none"}; agents alive: ${alive}`;
  });
}

/** How long ago an agent has started, and how much it has written since. */
function describeStart({ witnesses }: Site, start: Start): string {
  const seconds = Math.round((Date.now() - start.atMs) / 1_000);
  const lines = witnesses.record(start).toString().split("\n").length - 1;
  return `${seconds} s ago with ${lines} lines`;
}
