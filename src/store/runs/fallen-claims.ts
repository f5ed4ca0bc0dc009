import { SERVER_HOME } from "../../runs/rules/placement.ts";
import type { Ticket } from "../../runs/run.ts";
import { DAY_MS } from "../../time/duration.ts";
import type { Database } from "../sqlite/database.ts";
import { LEASED_RUNS } from "./state-lists.ts";

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 10 * 60_000;
/** Whoever has a token can name any number of data folders. */
const KEPT_MS = DAY_MS;

/*
 * After a turn that a worker has claimed and let fall back, it gets a single turn at a time until an agent has started; after each
 * further one, none for a while that doubles. So the runs are left to others in between, and a worker that has been repaired gets turns
 * again without anybody's help. The store knows it for all servers: the next claim, and the start of the agent, may come to another one.
 */

/** How many turns somebody may be given now. @param home whose workspaces they would be in */
export async function roomOfHome(db: Database, home: string, at: string): Promise<number> {
  const fallen = await db.first<{ until: string }>("SELECT until FROM fallen_claims WHERE home = $1", [home]);
  if (!fallen) return Number.POSITIVE_INFINITY;
  // An end that is further away was written before the clock was set back.
  if (at < fallen.until && fallen.until <= instantAfter(at, MAX_PAUSE_MS)) return 0;
  const claimed = await db.first(
    `SELECT 1 FROM ${LEASED_RUNS} WHERE lease_expires_at IS NOT NULL AND state = 'CLAIMED' AND claimed_home = $1 LIMIT 1`,
    [home],
  );
  return claimed ? 0 : 1;
}

/** Notes that a turn was claimed and not begun. @returns for how long whoever did so gets none, in milliseconds */
export async function noteFallen(db: Database, home: string | null, at: string): Promise<number> {
  if (!isOfWorker(home)) return 0;
  const known = await db.first<{ count: number }>("SELECT count FROM fallen_claims WHERE home = $1", [home]);
  const count = (known?.count ?? 0) + 1;
  const forMs = count === 1 ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(count - 2, 20));
  await db.run("DELETE FROM fallen_claims WHERE until < $1", [instantAfter(at, -KEPT_MS)]);
  await db.run(
    `INSERT INTO fallen_claims (home, count, until) VALUES ($1, $2, $3)
     ON CONFLICT (home) DO UPDATE SET count = excluded.count, until = excluded.until`,
    [home, count, instantAfter(at, forMs)],
  );
  return forMs;
}

/** Notes that the agent of a turn was started, or that its worker has ended it: the worker does what it claims. */
export async function noteBegun(db: Database, { id, ticket }: Ticket): Promise<void> {
  await db.run(
    "DELETE FROM fallen_claims WHERE home = (SELECT claimed_home FROM runs WHERE run_id = $1 AND ticket = $2)",
    [id, ticket],
  );
}

/** Whether what runs there is given by claims over the network, which can be lost. */
export function isOfWorker(home: string | null | undefined): home is string {
  return home !== null && home !== undefined && home !== SERVER_HOME;
}

const instantAfter = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();
