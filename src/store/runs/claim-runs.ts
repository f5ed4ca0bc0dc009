import type { RunCaps } from "../../runs/caps.ts";
import { type ClaimReach, SERVER_HOME, SERVER_REACH } from "../../runs/rules/placement.ts";
import { MOVES } from "../../runs/rules/state.ts";
import type { Claim, RunStore } from "../../runs/run.ts";
import { HOUR_MS } from "../../time/duration.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { LANE, LANES, LANES_BETWEEN, oldestPlaced, placementOfLane, QUEUED_PLACEMENT } from "./lanes.ts";
import { type ChangedRun, recordMoves } from "./run-events.ts";
import { countStarted, hourAround, type Room, roomUnder, type WaitingRun } from "./run-room.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";

/** Takes waiting runs, oldest first, as far as the caps have room for them and no pause holds them. */
export function claimRuns(
  db: Database,
): Pick<RunStore, "claim" | "listClaimable" | "findHourOpening" | "findHourIsFull"> {
  return {
    async claim(
      limit,
      { worker, expiresAt },
      at,
      caps = { automations: {}, factories: {} },
      reach = SERVER_REACH,
    ) {
      const ids = (await claimable(db, limit, at, caps, reach)).map(({ run_id }) => run_id);
      if (ids.length === 0) return [];
      const rows = await db.all<RunRow & ChangedRun & { claimed_home: string | null }>(
        `UPDATE runs SET state = '${MOVES.claim.to}', ticket = ticket + 1, updated_at = $1,
           first_claimed_at = COALESCE(first_claimed_at, $1), worker = $2, lease_expires_at = $3, claimed_home = $4
         WHERE run_id IN (${placeholders(ids.length, 4)}) RETURNING ${RUN_COLUMNS}`,
        [at, worker, expiresAt, reach.home ?? null, ...ids],
      );
      await recordMoves(db, rows, at);
      const claims = rows.map(
        (row): Claim => ({
          ...{ run: toRun(row), ticket: row.ticket },
          isElsewhere: row.home !== null && row.home !== (reach.home ?? null),
        }),
      );
      return claims.sort((a, b) => (a.run.id < b.run.id ? -1 : 1));
    },
    async listClaimable(limit, at, caps, reach) {
      const ids = (await claimable(db, limit, at, caps, reach)).map(({ run_id }) => run_id);
      if (ids.length === 0) return [];
      const rows = await db.all<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id IN (${placeholders(ids.length)}) ORDER BY run_id`,
        ids,
      );
      return rows.map(toRun);
    },
    async findHourOpening(perHour, at) {
      const openings = [];
      for (const [uid, cap] of Object.entries(perHour)) openings.push(...(await openingOf(db, uid, cap, at)));
      return openings.sort()[0];
    },
    async findHourIsFull(factoryUid, cap, at) {
      const left = cap - (await countStarted(db, factoryUid, at));
      if (left <= 0) return true;
      const waiting = await db.all(WAITING_IN_FACTORY, [`${factoryUid}/`, `${factoryUid}0`, left]);
      return waiting.length >= left;
    },
  };
}

export const WAITING_COLUMNS = "run_id, factory_uid, automation_uid, webhook_uid, first_claimed_at";

/** A turn whose workspace somebody else has, since an instant, is left to them. The server leaves it to workers in any case. */
const NOT_LEFT = (home: string, leftSince: string) =>
  `AND (home IS NULL OR home IN (${home}, '${SERVER_HOME}') OR COALESCE(turn_asked_at, '') < ${leftSince})`;
const oldest = (notLeft = "") => `
  SELECT ${WAITING_COLUMNS} FROM runs
  WHERE run_id IN (SELECT run_id FROM runs WHERE ${QUEUED_PLACEMENT} = $1 ${notLeft} ORDER BY run_id LIMIT $2) ORDER BY run_id`;
const oldestInLane = (notLeft = "") =>
  `SELECT ${WAITING_COLUMNS} FROM runs WHERE ${LANE} = $1 AND run_id > $2 ${notLeft} ORDER BY run_id LIMIT 1`;
const OLDEST = oldest();
const OLDEST_NOT_LEFT = oldest(NOT_LEFT("$3", "$4"));
const OLDEST_IN_LANE = oldestInLane();
const OLDEST_IN_LANE_NOT_LEFT = oldestInLane(NOT_LEFT("$3", "$4"));
const ONE = `SELECT ${WAITING_COLUMNS}, placement FROM runs WHERE run_id = $1 AND state = 'QUEUED'`;
/** Runs of a factory that no worker has had; `0` comes right after the `/` behind its uid. */
const WAITING_IN_FACTORY = `
  SELECT run_id FROM runs WHERE ${LANE} >= $1 AND ${LANE} < $2 AND first_claimed_at IS NULL LIMIT $3`;

/** What is asked of the database with every claim that caps hold something back from. */
export const CLAIM_QUERIES: Readonly<Record<string, string>> = {
  OLDEST,
  OLDEST_NOT_LEFT,
  LANES,
  LANES_BETWEEN,
  OLDEST_IN_LANE,
  OLDEST_IN_LANE_NOT_LEFT,
  WAITING_IN_FACTORY,
};

/** The oldest waiting runs within reach that there is room for. Where nothing is held back, they are the oldest of all. */
export async function claimable(
  db: Database,
  limit: number,
  at: string,
  caps: RunCaps,
  reach: ClaimReach,
): Promise<WaitingRun[]> {
  const room = await roomUnder(db, caps, at);
  if (room.isClosed) return [];
  if (reach.run !== undefined) return claimableRun(db, reach.run, room, reach);
  // The runs of some factories only are found by their lanes.
  if (reach.factories !== null) return claimableInLanes(db, limit, at, caps, reach);
  const left = leftIn(reach);
  const first = await oldestPlaced(reach.placements, limit, (placement) =>
    db.all<WaitingRun>(left.length > 0 ? OLDEST_NOT_LEFT : OLDEST, [placement, limit, ...left]),
  );
  for (const run of first) if (await room.take(run)) return claimableInLanes(db, limit, at, caps, reach);
  return first;
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
): Promise<WaitingRun[]> {
  const run = await db.first<WaitingRun & { placement: string }>(ONE, [id]);
  if (!run || !placements.includes(run.placement)) return [];
  if (factories !== null && (run.factory_uid === null || !factories.includes(run.factory_uid))) return [];
  return (await room.take(run)) ? [] : [run];
}

/** Takes the oldest run of all lanes again and again. A lane whose oldest run has to wait waits as a whole. */
async function claimableInLanes(
  db: Database,
  limit: number,
  at: string,
  caps: RunCaps,
  reach: ClaimReach,
): Promise<WaitingRun[]> {
  const room = await roomUnder(db, caps, at);
  const heads = [];
  for (const lane of await lanesWithin(db, reach)) heads.push(...(await nextIn(db, lane, "", reach)));
  const taken: WaitingRun[] = [];
  while (taken.length < limit) {
    heads.sort((a, b) => (a.run.run_id < b.run.run_id ? 1 : -1));
    const head = heads.pop();
    if (!head) break;
    if (await room.take(head.run)) continue;
    taken.push(head.run);
    heads.push(...(await nextIn(db, head.lane, head.run.run_id, reach)));
  }
  return taken;
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
): Promise<{ lane: string; run: WaitingRun }[]> {
  const left = leftIn(reach);
  const run = await db.first<WaitingRun>(left.length > 0 ? OLDEST_IN_LANE_NOT_LEFT : OLDEST_IN_LANE, [
    lane,
    after,
    ...left,
  ]);
  return run ? [{ lane, run }] : [];
}

/** When a factory that has used up its hour may start a run again: an hour after the one that stands in the way. */
export async function openingOf(
  db: Database,
  factoryUid: string,
  cap: number,
  at: string,
): Promise<string[]> {
  const surplus = (await countStarted(db, factoryUid, at)) - cap;
  if (surplus < 0) return [];
  const [since, until] = hourAround(at);
  const row = await db.first<{ first_claimed_at: string }>(
    `SELECT first_claimed_at FROM runs WHERE factory_uid = $1 AND first_claimed_at > $2 AND first_claimed_at <= $3
     ORDER BY first_claimed_at LIMIT 1 OFFSET $4`,
    [factoryUid, since, until, surplus],
  );
  return row ? [new Date(Date.parse(row.first_claimed_at) + HOUR_MS).toISOString()] : [];
}
