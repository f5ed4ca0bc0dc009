import type { RunCaps } from "../../runs/caps.ts";
import { executorOf } from "../../runs/rules/placement.ts";
import type { KeyHold } from "../../runs/rules/run-key.ts";
import { type LaneHold, MAX_AHEAD, type QueuePlace } from "../../runs/rules/waiting.ts";
import type { Database } from "../sqlite/database.ts";
import { claimable, isBehindOthers, WAITING_COLUMNS } from "./claimable-runs.ts";
import { findHoldOf } from "./hold-store.ts";
import { GOES_ON, HELD_FOR_KEY, hasKey } from "./key-holds.ts";
import {
  demandedPlacement,
  isHeldPlacement,
  isOfStarted,
  LANE,
  LANES_BETWEEN,
  placementOfLane,
} from "./lanes.ts";
import { roomUnder, type WaitingRun } from "./run-room.ts";
import { findDayOpening } from "./spend.ts";
import { hourOf, startOpening } from "./started-runs.ts";

const RUN = `SELECT ${WAITING_COLUMNS}, placement, home, turn_asked_at, concurrency_key, held_until FROM runs WHERE run_id = $1 AND state = 'QUEUED'`;
const OLDER = `
  SELECT COUNT(*) AS runs FROM (SELECT 1 FROM runs WHERE state = 'QUEUED' AND run_id < $1 ORDER BY run_id LIMIT $2) AS older`;
const OLDER_IN_LANE = `
  SELECT COUNT(*) AS runs FROM (SELECT 1 FROM runs WHERE ${LANE} = $1 AND run_id < $2 ORDER BY run_id LIMIT $3) AS older`;
const OLDER_OF_AGENT = `
  SELECT COUNT(*) AS runs FROM
    (SELECT 1 FROM runs WHERE state = 'QUEUED' AND agent_uid = $1 AND run_id < $2 ORDER BY run_id LIMIT $3) AS older`;
const OLDER_AT_PROVIDER = `
  SELECT COUNT(*) AS runs FROM (SELECT 1 FROM runs WHERE provider_hold = $1 AND provider_hold IS NOT NULL
    AND COALESCE(factory_uid, '') = $2 AND run_id < $3 LIMIT $4) AS older`;
const LIMITED_LANES_BETWEEN = `${LANES_BETWEEN} LIMIT $3`;

/** A factory can have thousands of automations, and each may have runs that wait. Those of more lanes are not counted. */
const MAX_LANES = 1_000;

/** What is asked of the database to find the place of a run. */
export const PLACE_QUERIES: Readonly<Record<string, string>> = {
  RUN,
  OLDER,
  OLDER_OF_AGENT,
  OLDER_IN_LANE,
  LIMITED_LANES_BETWEEN,
  OLDER_AT_PROVIDER,
};

/**
 * Why a run has not been claimed, by the same rules by which runs are claimed, and how many start before it.
 * @param within uids of the only factories whose runs are counted; null counts all
 * @returns nothing for a run that does not wait
 */
export async function findQueuePlace(
  db: Database,
  id: string,
  caps: RunCaps,
  at: string,
  within: readonly string[] | null,
): Promise<QueuePlace | undefined> {
  const run = await db.first<PlacedRun>(RUN, [id]);
  if (!run) return undefined;
  const { factory_uid: factoryUid, home, turn_asked_at: turnAskedAt } = run;
  const placement = demandedPlacement(run.placement);
  const place =
    (await placeOfHeld(db, run, at)) ??
    (await placeAtProvider(db, run)) ??
    (await placeOf(db, run, { caps, at, within }));
  return { ...place, placement, factoryUid, home, turnAskedAt };
}

type Place = Omit<QueuePlace, "placement" | "factoryUid" | "home" | "turnAskedAt">;
type PlacedRun = WaitingRun &
  HeldByKey & { placement: string; home: string | null; turn_asked_at: string | null };

/** Nothing for a run that is not held. */
async function placeOfHeld(db: Database, run: PlacedRun, at: string): Promise<Place | undefined> {
  const held = await keyHoldOf(db, run, at);
  return held && { hold: held.hold, ahead: held.ahead, ...(held.opensAt ? { opensAt: held.opensAt } : {}) };
}

/** Nothing for a run whose provider takes more. Of those that wait with it, only those of its factory are counted. */
async function placeAtProvider(db: Database, run: PlacedRun): Promise<Place | undefined> {
  const hold = await findHoldOf(db, run.run_id);
  if (!hold) return undefined;
  const values = [hold.id, run.factory_uid ?? "", run.run_id, MAX_AHEAD];
  const ahead = await countOf(db, OLDER_AT_PROVIDER, values);
  return { hold: { kind: "provider_limit", hold }, ahead, opensAt: hold.until };
}

interface Counting {
  caps: RunCaps;
  at: string;
  within: readonly string[] | null;
}

async function placeOf(db: Database, run: PlacedRun, counting: Counting): Promise<Place> {
  const { caps, at } = counting;
  const held = await (await roomUnder(db, caps, at)).take(run);
  if (held) return place(db, run, held, counting);
  // Whoever executes it may have other runs to choose from as well: only those with the same demands are sure to compete.
  const reach = { placements: [run.placement], factories: null, executor: executorOf(run.placement) };
  const own = { ...reach, factories: [run.factory_uid ?? ""] };
  const { runs: first } = await claimable(db, MAX_AHEAD + 1, at, caps, own);
  const found = first.findIndex(({ run_id }) => run_id === run.run_id);
  if (found < 0 && first.length <= MAX_AHEAD) {
    // There is room for it now, which those that start before it take.
    const room = await roomUnder(db, caps, at);
    for (const each of first) await room.take(each);
    const later = await room.take(run);
    if (later) return place(db, run, later, counting);
  }
  const ahead = Math.min(found < 0 ? first.length : found, MAX_AHEAD);
  return {
    ahead,
    ...((await isBehindOthers(db, run, ahead, { at, caps, reach })) ? { isBehindOthers: true } : {}),
  };
}

async function place(db: Database, run: WaitingRun, hold: LaneHold, counting: Counting): Promise<Place> {
  const opensAt = await openingOf(db, run, hold, counting);
  const ahead = await countAhead(db, run, hold, counting.within);
  return { hold, ahead, ...(opensAt === undefined ? {} : { opensAt }) };
}

/** When what holds a run has room again, where that is a matter of time. */
async function openingOf(
  db: Database,
  { factory_uid: factory }: WaitingRun,
  hold: LaneHold,
  { caps, at }: Counting,
): Promise<string | undefined> {
  if (hold.kind === "hourly_limit") {
    const cap = factory === null ? undefined : caps.factories[factory];
    return factory === null || cap === undefined ? undefined : startOpening(db, hourOf(factory), cap, at);
  }
  if (hold.kind !== "budget") return undefined;
  return findDayOpening(db, hold.day, at);
}

async function countAhead(
  db: Database,
  run: WaitingRun,
  hold: LaneHold,
  within: readonly string[] | null,
): Promise<number> {
  if (hold.kind === "budget" && hold.day.owner.kind === "agent")
    return countOf(db, OLDER_OF_AGENT, [hold.day.owner.uid, run.run_id, MAX_AHEAD]);
  const own = lanesOf(run, hold);
  if (!own && within === null) return countOf(db, OLDER, [run.run_id, MAX_AHEAD]);
  let ahead = 0;
  for (const between of own ? [own] : (within ?? []).map(lanesOfFactory)) {
    ahead += await countInLanes(db, run, hold, { between, most: MAX_AHEAD - ahead });
    if (ahead >= MAX_AHEAD) break;
  }
  return ahead;
}

async function countInLanes(
  db: Database,
  run: WaitingRun,
  hold: LaneHold,
  { between, most }: { between: [from: string, until: string]; most: number },
): Promise<number> {
  const lanes = await db.all<{ lane: string }>(LIMITED_LANES_BETWEEN, [...between, MAX_LANES]);
  let ahead = 0;
  for (const { lane } of lanes) {
    // What is held does not start before it.
    if (isHeldPlacement(placementOfLane(lane))) continue;
    // Runs that have been started before are not counted again.
    if (countsStarts(hold) && isOfStarted(lane)) continue;
    ahead += await countOf(db, OLDER_IN_LANE, [lane, run.run_id, most - ahead]);
    if (ahead >= most) break;
  }
  return ahead;
}

function countsStarts(hold: LaneHold): boolean {
  return hold.kind === "hourly_limit" || (hold.kind === "budget" && hold.day.limit === "runsPerDay");
}

/** The lanes that a hold keeps back, as the first one and the end; nothing for all. `0` comes right after `/`. */
function lanesOf(run: WaitingRun, hold: LaneHold): [from: string, until: string] | undefined {
  const factory = run.factory_uid ?? "";
  const automation = `${factory}/${run.automation_uid ?? ""}`;
  if (hold.kind === "automation_limit") return lanesOfFactory(automation);
  if (hold.kind === "hourly_limit" || hold.kind === "share") return lanesOfFactory(factory);
  if (hold.kind === "budget") {
    // Of the automation of its family's root, older runs in its own lanes come first.
    return lanesOfFactory(hold.day.owner.kind === "automation" ? automation : factory);
  }
  const { pause } = hold;
  if (pause.automationUid !== null) return lanesOfFactory(automation);
  // Of a webhook, those that its automation has of it. A `+` may follow.
  const lane = `${automation}/${run.webhook_uid ?? ""}`;
  if (pause.webhookUid !== null) return [lane, `${lane},`];
  return pause.factoryUid === null ? undefined : lanesOfFactory(factory);
}

/** Also those of an automation, by its factory and its uid. */
function lanesOfFactory(uid: string): [from: string, until: string] {
  return [`${uid}/`, `${uid}0`];
}

async function countOf(db: Database, sql: string, values: (string | number)[]): Promise<number> {
  return (await db.first<{ runs: number }>(sql, values))?.runs ?? 0;
}

const HOLDER = `SELECT run_id FROM runs WHERE ${hasKey("$1", "$2")} ORDER BY run_id LIMIT 1`;
/** Where no run has the key, it is about to go to the oldest one that waits, for it or in a window. */
const OLDEST_HELD = `
  SELECT run_id FROM runs WHERE ${GOES_ON} AND held_until IS NOT NULL AND run_id < $2 ORDER BY run_id LIMIT 1`;

/** What tells whether a run waits for its key or in a window. */
interface HeldByKey {
  run_id: string;
  concurrency_key: string | null;
  held_until: string | null;
}

/** Why a run of a key may not be claimed, and how many of its key start before it; nothing for one that may. */
async function keyHoldOf(
  db: Database,
  { run_id, concurrency_key: fullKey, held_until: until }: HeldByKey,
  at: string,
): Promise<{ hold: KeyHold; ahead: number; opensAt?: string } | undefined> {
  if (until === null || fullKey === null) return undefined;
  if (until < HELD_FOR_KEY) {
    const endsAt = until > at ? until : at;
    return { hold: { kind: "window", endsAt }, ahead: 0, opensAt: endsAt };
  }
  const holder =
    (await db.first<{ run_id: string }>(HOLDER, [fullKey, at])) ??
    (await db.first<{ run_id: string }>(OLDEST_HELD, [fullKey, run_id]));
  const ahead = await db.first<{ runs: number }>(
    `SELECT COUNT(*) AS runs FROM
       (SELECT 1 FROM runs WHERE concurrency_key = $1 AND held_until = '${HELD_FOR_KEY}' AND run_id < $2 LIMIT $3) AS older`,
    [fullKey, run_id, MAX_AHEAD],
  );
  const key = fullKey.slice(fullKey.indexOf(" ") + 1);
  return { hold: { kind: "key", key, holder: holder?.run_id ?? null }, ahead: ahead?.runs ?? 0 };
}
