import { waitAfter } from "../../concurrency/rounds.ts";
import type { RunCaps } from "../../runs/caps.ts";
import type { UsedUpDay } from "../../runs/rules/budget.ts";
import { type ClaimReach, SERVER_HOME, SERVER_REACH } from "../../runs/rules/placement.ts";
import { holderParts, holdersOf, REMOTE_HOLDERS } from "../../runs/rules/remote-worker.ts";
import { MOVES } from "../../runs/rules/state.ts";
import type { LaneHold } from "../../runs/rules/waiting.ts";
import type { Claim } from "../../runs/run.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { Ticket } from "../../runs/ticket.ts";
import { DAY_MS } from "../../time/duration.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { LANE, LANES, LANES_BETWEEN, oldestPlaced, placementOfLane, QUEUED_PLACEMENT } from "./lanes.ts";
import { type ChangedRun, recordMoves } from "./run-events.ts";
import { type Room, roomUnder, type WaitingRun } from "./run-room.ts";
import { RUN_COLUMNS, type RunRow, toRun, toRuns } from "./run-row.ts";
import { tellUsedUp } from "./spend.ts";
import { LEASED_RUNS } from "./state-lists.ts";

/** Takes waiting runs, oldest first, as far as the caps have room for them and no pause holds them. */
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
      const { runs, usedUp } = await claimable(db, Math.min(limit, room), at, caps, reach);
      await tellUsedUp(db, usedUp, at);
      if (runs.length === 0) return [];
      const refusals = new Map(runs.flatMap(({ run_id, refusal }) => (refusal ? [[run_id, refusal]] : [])));
      const ids = runs.map(({ run_id }) => run_id);
      // One that is only ended does not count as started.
      const isRefused =
        refusals.size === 0
          ? ""
          : `WHEN run_id IN (${placeholders(refusals.size, 5 + ids.length)}) THEN NULL`;
      const rows = await db.all<RunRow & ChangedRun & { claimed_home: string | null }>(
        `UPDATE runs SET state = '${MOVES.claim.to}', ticket = ticket + 1, updated_at = $1,
           first_claimed_at = CASE WHEN first_claimed_at IS NOT NULL THEN first_claimed_at ${isRefused} ELSE $1 END,
           worker = $2, lease_expires_at = $3, claimed_home = $4, claimed_for = $5
         WHERE run_id IN (${placeholders(ids.length, 5)}) RETURNING ${RUN_COLUMNS}`,
        [at, worker, expiresAt, reach.home ?? null, request ?? null, ...ids, ...refusals.keys()],
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
      const ids = runs.flatMap(({ run_id, refusal }) => (refusal ? [] : [run_id]));
      if (ids.length === 0) return [];
      const rows = await db.all<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id IN (${placeholders(ids.length)}) ORDER BY run_id`,
        ids,
      );
      return toRuns(rows);
    },
  };
}

export const WAITING_COLUMNS =
  "run_id, factory_uid, automation_uid, agent_uid, root_automation_uid, webhook_uid, first_claimed_at";

/** A turn whose workspace somebody else has, since an instant, is left to them. The server leaves it to workers in any case. */
const NOT_LEFT = (home: string, leftSince: string) =>
  `AND (home IS NULL OR home IN (${home}, '${SERVER_HOME}') OR COALESCE(turn_asked_at, '') < ${leftSince})`;
const oldest = (notLeft = "") => `
  SELECT ${WAITING_COLUMNS} FROM runs
  WHERE run_id IN (SELECT run_id FROM runs WHERE ${QUEUED_PLACEMENT} = $1 ${notLeft} ORDER BY run_id LIMIT $2) ORDER BY run_id`;
const oldestInLane = (notLeft = "", notHeld = "") =>
  `SELECT ${WAITING_COLUMNS} FROM runs WHERE ${LANE} = $1 AND run_id > $2 ${notLeft} ${notHeld} ORDER BY run_id LIMIT 1`;
const OLDEST = oldest();
const OLDEST_NOT_LEFT = oldest(NOT_LEFT("$3", "$4"));
const OLDEST_IN_LANE = oldestInLane();
const OLDEST_IN_LANE_NOT_LEFT = oldestInLane(NOT_LEFT("$3", "$4"));
const ONE = `SELECT ${WAITING_COLUMNS}, placement FROM runs WHERE run_id = $1 AND state = 'QUEUED'`;

/** What is asked of the database with every claim that caps hold something back from. */
export const CLAIM_QUERIES: Readonly<Record<string, string>> = {
  OLDEST,
  OLDEST_NOT_LEFT,
  LANES,
  LANES_BETWEEN,
  OLDEST_IN_LANE,
  OLDEST_IN_LANE_NOT_LEFT,
};

/** A run that is claimed to be executed, or only to be ended: a budget that is used up refuses it. */
export type ClaimableRun = WaitingRun & { refusal?: UsedUpDay };

/** What can be claimed, and the limits of a day that were found used up on the way. */
export interface Claimable {
  runs: ClaimableRun[];
  usedUp: UsedUpDay[];
}

/** The oldest waiting runs within reach that there is room for. Where nothing is held back, they are the oldest of all. */
export async function claimable(
  db: Database,
  limit: number,
  at: string,
  caps: RunCaps,
  reach: ClaimReach,
): Promise<Claimable> {
  const room = await roomUnder(db, caps, at);
  if (room.isClosed) return { runs: [], usedUp: [] };
  if (reach.run !== undefined) return claimableRun(db, reach.run, room, reach);
  // The runs of some factories only are found by their lanes.
  if (reach.factories !== null) return claimableInLanes(db, limit, at, caps, reach);
  const left = leftIn(reach);
  const first = await oldestPlaced(reach.placements, limit, (placement) =>
    db.all<ClaimableRun>(left.length > 0 ? OLDEST_NOT_LEFT : OLDEST, [placement, limit, ...left]),
  );
  for (const run of first) if (await holdOf(run, room)) return claimableInLanes(db, limit, at, caps, reach);
  return { runs: first, usedUp: room.usedUp() };
}

/** Takes a run. @returns what holds it back; what refuses it is noted with it, and holds it no longer */
async function holdOf(run: ClaimableRun, room: Room): Promise<LaneHold | undefined> {
  const hold = await room.take(run);
  if (hold?.kind !== "budget" || !hold.day.skips) return hold;
  run.refusal = hold.day;
  return undefined;
}

/** The values that tell which turns are left to others; none where all are taken. */
function leftIn({ home, leftSince }: ClaimReach): string[] {
  return leftSince === undefined ? [] : [home ?? "", leftSince];
}

async function claimableRun(
  db: Database,
  id: string,
  room: Room,
  { placements, factories }: ClaimReach,
): Promise<Claimable> {
  const run = await db.first<ClaimableRun & { placement: string }>(ONE, [id]);
  const isWithin =
    run &&
    placements.includes(run.placement) &&
    (factories === null || (run.factory_uid !== null && factories.includes(run.factory_uid)));
  const runs = isWithin && !(await holdOf(run, room)) ? [run] : [];
  return { runs, usedUp: room.usedUp() };
}

/** The agents, and the automations that have started families, whose runs have to wait in a lane. */
interface HeldInLane {
  agents: readonly string[];
  roots: readonly string[];
}

const NONE_HELD: HeldInLane = { agents: [], roots: [] };

/** The oldest run of a lane that is not held with others of its agent or its family's automation. */
interface LaneHead {
  lane: string;
  run: ClaimableRun;
  held: HeldInLane;
}

/**
 * Takes the oldest run of all lanes again and again. A lane whose oldest run has to wait waits as a whole, unless it is the budget of
 * an agent, or of the automation of its family's root, that is used up: a lane can have runs of several.
 */
async function claimableInLanes(
  db: Database,
  limit: number,
  at: string,
  caps: RunCaps,
  reach: ClaimReach,
): Promise<Claimable> {
  const room = await roomUnder(db, caps, at);
  const heads: LaneHead[] = [];
  for (const lane of await lanesWithin(db, reach)) heads.push(...(await nextIn(db, lane, "", reach)));
  const runs: ClaimableRun[] = [];
  while (runs.length < limit) {
    heads.sort((a, b) => (a.run.run_id < b.run.run_id ? 1 : -1));
    const head = heads.pop();
    if (!head) break;
    const { lane, run } = head;
    const hold = await holdOf(run, room);
    if (!hold) runs.push(run);
    const held = hold ? heldWith(head, hold) : head.held;
    if (held) heads.push(...(await nextIn(db, lane, run.run_id, reach, held)));
  }
  return { runs, usedUp: room.usedUp() };
}

/** @returns nothing where the whole lane waits */
function heldWith({ run, held }: LaneHead, hold: LaneHold): HeldInLane | undefined {
  if (hold.kind !== "budget") return undefined;
  const { uid } = hold.day.owner;
  if (uid === run.agent_uid) return { ...held, agents: [...held.agents, uid] };
  const isOfRoot = uid === run.root_automation_uid && uid !== run.automation_uid;
  return isOfRoot ? { ...held, roots: [...held.roots, uid] } : undefined;
}

async function lanesWithin(db: Database, { placements, factories }: ClaimReach): Promise<string[]> {
  const rows = [];
  if (factories === null) rows.push(...(await db.all<{ lane: string }>(LANES)));
  for (const uid of new Set(factories)) {
    rows.push(...(await db.all<{ lane: string }>(LANES_BETWEEN, [`${uid}/`, `${uid}0`])));
  }
  const within = new Set(placements);
  return rows.map(({ lane }) => lane).filter((lane) => within.has(placementOfLane(lane)));
}

async function nextIn(
  db: Database,
  lane: string,
  after: string,
  reach: ClaimReach,
  held: HeldInLane = NONE_HELD,
): Promise<LaneHead[]> {
  const left = leftIn(reach);
  const known = left.length > 0 ? OLDEST_IN_LANE_NOT_LEFT : OLDEST_IN_LANE;
  const { agents, roots } = held;
  const sql = agents.length + roots.length === 0 ? known : oldestNotOf(held, left.length);
  const run = await db.first<ClaimableRun>(sql, [lane, after, ...left, ...agents, ...roots]);
  return run ? [{ lane, run, held }] : [];
}

/** Steps over the runs that are held one by one. */
function oldestNotOf({ agents, roots }: HeldInLane, left: number): string {
  const notIn = (column: string, count: number, before: number) =>
    count === 0 ? "" : `AND COALESCE(${column}, '') NOT IN (${placeholders(count, before)})`;
  return oldestInLane(
    left > 0 ? NOT_LEFT("$3", "$4") : "",
    `${notIn("agent_uid", agents.length, 2 + left)} ${notIn("root_automation_uid", roots.length, 2 + left + agents.length)}`,
  );
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
