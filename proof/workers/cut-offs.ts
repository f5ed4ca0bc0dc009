import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import { waitFor } from "../../test/given/server.ts";
import type { Chance } from "../given/chance.ts";
import { type Fleet, LEASE_MS } from "./fleet.ts";
import type { FleetWorker } from "./fleet-worker.ts";
import type { Harms } from "./harms.ts";

/** How often a worker was cut off while agents worked on it, and how often all of them were gone before a lease was over. */
export interface CutOffs {
  cuts: number;
  goneInTime: number;
  /** A sentence for each cut after which an agent was there for too long. */
  late: string[];
}

type Store = InstanceType<typeof BetterSqlite>;

const FIRST_AGENTS_SECONDS = 40;
const LOOK_MS = 20;

/** Cuts workers off, each by itself at some moment of a round, until there were so many cuts or it is over. */
export async function cutOffWorkers(
  fleet: Fleet,
  { chance, harms, isOver, most }: { chance: Chance; harms: Harms; isOver: () => boolean; most: number },
): Promise<CutOffs> {
  const found: CutOffs = { cuts: 0, goneInTime: 0, late: [] };
  const store = new BetterSqlite(join(fleet.dataDir, "millrace.db"), { readonly: true });
  try {
    do {
      const round = fleet.workers.slice(0, most - found.cuts);
      await Promise.all(
        round.map(async (worker) => {
          const [afterMs, isUnplugged] = [chance.next() * 2_000, chance.of(0.5)];
          await waitFor(() => worker.agents().length > 0 || undefined, FIRST_AGENTS_SECONDS);
          await sleep(afterMs);
          await harms.during(worker.name, isUnplugged ? "unplugged" : "swallowed", () =>
            cutOff(worker, { store, isUnplugged, found, fleet }),
          );
        }),
      );
    } while (found.cuts < most && !isOver());
  } finally {
    store.close();
  }
  return found;
}

async function cutOff(
  worker: FleetWorker,
  { store, isUnplugged, found, fleet }: { store: Store; isUnplugged: boolean; found: CutOffs; fleet: Fleet },
): Promise<void> {
  const plug = isUnplugged ? worker.plug : undefined;
  await (plug ? plug(false) : worker.wire({ kind: "swallow" }));
  const runs = new Set<string>();
  try {
    const cutAt = Date.now();
    for (;;) {
      const lookedAt = Date.now();
      const agents = worker.agents();
      for (const pid of agents) {
        const run = runOf(pid);
        if (run) runs.add(run);
      }
      if (agents.length === 0 || lookedAt > cutAt + 3 * LEASE_MS) {
        // Agents that came to their own ends show nothing.
        const live = fleet.witnesses.live();
        for (const run of runs) if (!live.has(run)) runs.delete(run);
        if (runs.size > 0) judge(worker, { store, runs, lookedAt, isGone: agents.length === 0, found });
        return;
      }
      await sleep(LOOK_MS);
    }
  } finally {
    await (plug ? plug(true) : worker.wire({ kind: "pass" }));
  }
}

/** Asks the server's store whether all runs were the worker's still when their agents were gone. */
function judge(
  { name }: FleetWorker,
  {
    store,
    runs,
    lookedAt,
    isGone,
    found,
  }: { store: Store; runs: Set<string>; lookedAt: number; isGone: boolean; found: CutOffs },
): void {
  const find = store.prepare("SELECT state, lease_expires_at AS lease FROM runs WHERE run_id = ?");
  const problems = [...runs].flatMap((run) => {
    const { state, lease } = find.get(run) as { state: string; lease: string | null };
    if (!isGone) return [`the agent of ${run} is on the cut-off worker ${name} still`];
    const isHeld = state === "INPROGRESS" && lease !== null && Date.parse(lease) > lookedAt;
    return isHeld ? [] : [`when the agents on ${name} were gone, ${run} was ${state} until ${lease}`];
  });
  found.cuts += 1;
  if (problems.length === 0) found.goneInTime += 1;
  found.late.push(...problems);
}

function runOf(pid: number): string | undefined {
  try {
    return /(?:^|\0)MILLRACE_RUN_ID=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, "latin1"))?.[1];
  } catch {
    return undefined;
  }
}
