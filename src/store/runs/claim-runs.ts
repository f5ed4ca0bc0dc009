import { waitAfter } from "../../concurrency/rounds.ts";
import type { RunCaps } from "../../runs/caps.ts";
import { type ClaimReach, SERVER_HOME, SERVER_REACH } from "../../runs/rules/placement.ts";
import { holderParts, holdersOf, REMOTE_HOLDERS } from "../../runs/rules/remote-worker.ts";
import { MOVES } from "../../runs/rules/state.ts";
import type { Claim, Run } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { Ticket } from "../../runs/ticket.ts";
import { DAY_MS } from "../../time/duration.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { keepTurns } from "./claim-turns.ts";
import { type Claimable, claimable } from "./claimable-runs.ts";
import { findHeld, holdRuns } from "./hold-store.ts";
import { type ChangedRun, recordMoves } from "./run-events.ts";
import { RUN_COLUMNS, type RunRow, toRun, toRuns } from "./run-row.ts";
import { tellUsedUp } from "./spend.ts";
import { LEASED_RUNS } from "./state-lists.ts";

/** Takes waiting runs, each factory in its turn, as far as the caps have room for them and no pause holds them. */
export function claimRuns(
  db: Database,
): Pick<RunStore, "claim" | "listClaimed" | "disclaim" | "listClaimable"> {
  return {
    async claim(
      limit,
      { worker, expiresAt, request },
      at,
      caps = { automations: {}, factories: {}, budgets: {} },
      reach = SERVER_REACH,
    ) {
      const room = isOfWorker(reach.home) ? await roomOfHome(db, reach.home, at) : limit;
      if (room === 0) return [];
      const { runs, usedUp, turns, models } = await claimableNow(db, Math.min(limit, room), at, caps, reach);
      await tellUsedUp(db, usedUp, at);
      await keepTurns(db, turns, at);
      if (runs.length === 0) return [];
      const refusals = new Map(runs.flatMap(({ run_id, refusal }) => (refusal ? [[run_id, refusal]] : [])));
      const ids = runs.map(({ run_id }) => run_id);
      // One that is only ended does not count as started.
      const isRefused =
        refusals.size === 0
          ? ""
          : `WHEN run_id IN (${placeholders(refusals.size, 5 + ids.length)}) THEN NULL`;
      const fallback = caseOf(models, 5 + ids.length + refusals.size);
      const rows = await db.all<RunRow & ChangedRun & { claimed_home: string | null }>(
        `UPDATE runs SET state = '${MOVES.claim.to}', ticket = ticket + 1, updated_at = $1, provider_model = ${fallback},
           first_claimed_at = CASE WHEN first_claimed_at IS NOT NULL THEN first_claimed_at ${isRefused} ELSE $1 END,
           worker = $2, lease_expires_at = $3, claimed_home = $4, claimed_for = $5
         WHERE run_id IN (${placeholders(ids.length, 5)}) RETURNING ${RUN_COLUMNS}`,
        [
          ...[at, worker, expiresAt, reach.home ?? null, request ?? null],
          ...[...ids, ...refusals.keys(), ...[...models].flat()],
        ],
      );
      await recordMoves(db, rows, at);
      const claims = rows.map((row): Claim => {
        const refusal = refusals.get(row.run_id);
        return {
          run: toRun(row),
          ticket: row.ticket,
          isElsewhere: row.home !== null && row.home !== (reach.home ?? null),
          ...(refusal ? { refusal } : {}),
        };
      });
      return claims.sort((a, b) => (a.run.id < b.run.id ? -1 : 1));
    },
    async listClaimed({ worker, request = "" }, at) {
      const rows = await db.all<RunRow & { claimed_home: string | null }>(
        `SELECT ${RUN_COLUMNS}, claimed_home FROM ${LEASED_RUNS}
         WHERE lease_expires_at >= $1 AND worker = $2 AND claimed_for = $3 AND state = 'CLAIMED' ORDER BY run_id`,
        [at, worker, request],
      );
      return rows.map((row) => ({
        run: toRun(row),
        ticket: row.ticket,
        isElsewhere: row.home !== null && row.home !== row.claimed_home,
      }));
    },
    async disclaim(turns) {
      for (const { id, ticket } of turns) {
        await db.run(
          "UPDATE runs SET claimed_home = NULL, claimed_for = NULL WHERE run_id = $1 AND ticket = $2 AND state = 'CLAIMED'",
          [id, ticket],
        );
      }
    },
    async listClaimable(limit, at, caps, reach) {
      const { runs } = await claimable(db, limit, at, caps, reach);
      const { held } = await findHeld(db, runs);
      const ids = runs.flatMap(({ run_id, refusal }) => (refusal || held.has(run_id) ? [] : [run_id]));
      if (ids.length === 0) return [];
      const rows = await db.all<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id IN (${placeholders(ids.length)})`,
        ids,
      );
      const places = new Map(ids.map((id, place) => [id, place]));
      const placeOf = ({ id }: Run) => places.get(id) ?? 0;
      return toRuns(rows).sort((a, b) => placeOf(a) - placeOf(b));
    },
  };
}

/** Of many runs that a provider refuses, so many are looked at in one claim. */
const MAX_LOOKS = 20;
const HELD_AT_ONCE = 500;

/** What can be claimed without those that wait for a provider: these stand apart from then on, and cost later claims nothing. */
async function claimableNow(
  db: Database,
  limit: number,
  at: string,
  caps: RunCaps,
  reach: ClaimReach,
): Promise<Claimable & { models: Map<string, string> }> {
  const look = async (most: number) => {
    const found = await claimable(db, most, at, caps, reach);
    return { ...found, ...(await holdRuns(db, found.runs)) };
  };
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const found = await look(limit);
    if (found.held.size === 0) return found;
    // Those behind them are mostly held too.
    await look(Math.max(limit, HELD_AT_ONCE));
  }
  return { runs: [], usedUp: [], turns: [], models: new Map() };
}

/** Picks a value by the id of a run; null for other runs. @param first the number of the parameter before the first one */
function caseOf(values: ReadonlyMap<string, unknown>, first: number): string {
  if (values.size === 0) return "NULL";
  const cases = [...values].map((_, index) => {
    const at = first + 2 * index;
    return `WHEN run_id = $${at + 1} THEN $${at + 2}`;
  });
  return `CASE ${cases.join(" ")} ELSE NULL END`;
}

const PAUSE = { firstMs: 5_000, mostMs: 10 * 60_000 };
/** Whoever has a token can name any number of data folders. */
const KEPT_MS = DAY_MS;

/*
 * After a turn that a worker has claimed and let fall back, it gets a single turn at a time until an agent has started; after each
 * further one, none for a while that doubles. So the runs are left to others in between, and a worker that has been repaired gets turns
 * again without anybody's help. The store knows it for all servers: the next claim, and the start of the agent, may come to another one.
 */

/** How many turns somebody may be given now. @param home whose workspaces they would be in */
async function roomOfHome(db: Database, home: string, at: string): Promise<number> {
  const fallen = await db.first<{ until: string }>("SELECT until FROM fallen_claims WHERE home = $1", [home]);
  if (!fallen) return Number.POSITIVE_INFINITY;
  // An end that is further away was written before the clock was set back.
  if (at < fallen.until && fallen.until <= instantAfter(at, PAUSE.mostMs)) return 0;
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
  const forMs = count === 1 ? 0 : waitAfter(count - 1, PAUSE);
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

/** The turns that workers elsewhere have. */
export function heldTurns(
  db: Database,
): Pick<RunStore, "renewHeld" | "findHeld" | "listHeldBy" | "listRemote" | "listNews"> {
  return {
    async renewHeld({ worker, expiresAt }, turns, at) {
      // What was over for an instant may have been given to somebody else: it is not taken back.
      const rows = await db.all<{ run_id: string; ticket: number }>(
        `SELECT run_id, ticket FROM ${LEASED_RUNS} WHERE worker = $1 AND lease_expires_at >= $2 ORDER BY run_id`,
        [worker, at],
      );
      // A worker may name any number of turns: only those that it has cost anything.
      const named = new Map(turns.map(({ id, ticket }) => [id, ticket]));
      const held = rows.filter(({ run_id, ticket }) => named.get(run_id) === ticket);
      for (const { run_id } of held)
        await db.run("UPDATE runs SET lease_expires_at = $1 WHERE run_id = $2", [expiresAt, run_id]);
      return held.map(({ run_id }) => run_id);
    },
    async listNews(runIds) {
      if (runIds.length === 0) return [];
      const rows = await db.all<{ run_id: string; is_cancelled: number; last_message: string | null }>(
        `SELECT run_id, cancel_requested_at IS NOT NULL AS is_cancelled,
           (SELECT MAX(followup_id) FROM run_followups f WHERE f.run_id = runs.run_id) AS last_message
         FROM runs WHERE run_id IN (${placeholders(runIds.length)})`,
        runIds,
      );
      return rows.map((row) => ({
        id: row.run_id,
        isCancelled: row.is_cancelled === 1,
        lastMessage: row.last_message ?? "",
      }));
    },
    async listHeldBy(workerId, at) {
      const rows = await db.all<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM ${LEASED_RUNS} WHERE lease_expires_at >= $1 AND worker >= $2 AND worker < $3 ORDER BY run_id`,
        [at, ...holdersOf(workerId)],
      );
      return rows.map((row) => ({ run: toRun(row), ticket: row.ticket }));
    },
    async listRemote(at) {
      const rows = await db.all<{ run_id: string; title: string; worker: string }>(
        `SELECT run_id, title, worker FROM ${LEASED_RUNS}
         WHERE lease_expires_at >= $1 AND worker >= $2 AND worker < $3 ORDER BY run_id`,
        [at, ...REMOTE_HOLDERS],
      );
      return rows.map(({ run_id: id, title, worker }) => ({ id, title, ...holderParts(worker) }));
    },
    async findHeld({ id, ticket }, worker, at) {
      const row = await db.first<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = $1 AND ticket = $2 AND worker = $3 AND lease_expires_at >= $4`,
        [id, ticket, worker, at],
      );
      return row && toRun(row);
    },
  };
}
