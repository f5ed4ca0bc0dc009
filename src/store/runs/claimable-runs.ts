import type { RunCaps } from "../../runs/caps.ts";
import type { UsedUpDay } from "../../runs/rules/budget.ts";
import { type ClaimReach, SERVER_HOME } from "../../runs/rules/placement.ts";
import { type Turns, turnsAfter, urgencyOf } from "../../runs/rules/share.ts";
import type { LaneHold } from "../../runs/rules/waiting.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import { ALL_FACTORIES, listTurns, type TakenTurns } from "./claim-turns.ts";
import { QUEUED_AT, TURN_LANE, turnLanesOf } from "./lanes.ts";
import { type Room, roomUnder, type WaitingRun } from "./run-room.ts";

export const WAITING_COLUMNS =
  "run_id, factory_uid, automation_uid, agent_uid, root_automation_uid, webhook_uid, first_claimed_at";
const COLUMNS = `${WAITING_COLUMNS}, home, turn_asked_at, ${TURN_LANE} AS lane, ${QUEUED_AT} AS queued_at`;

/** The factories that have runs between two lanes: as many steps as there are factories. */
const FACTORIES = `
  WITH RECURSIVE waiting (factory) AS (
    SELECT (SELECT COALESCE(factory_uid, '') FROM runs
            WHERE ${TURN_LANE} >= $1 AND ${TURN_LANE} < $2 ORDER BY ${TURN_LANE} LIMIT 1)
    UNION ALL
    SELECT (SELECT COALESCE(factory_uid, '') FROM runs
            WHERE ${TURN_LANE} >= $1 || waiting.factory || '0' AND ${TURN_LANE} < $2 ORDER BY ${TURN_LANE} LIMIT 1)
    FROM waiting WHERE waiting.factory IS NOT NULL
  )
  SELECT factory FROM waiting WHERE factory IS NOT NULL`;
/** The first runs of lanes between two: as many steps as there are lanes, or so many. */
const HEADS = `
  WITH RECURSIVE lanes (lane, number) AS (
    SELECT (SELECT MIN(${TURN_LANE}) FROM runs WHERE ${TURN_LANE} >= $1 AND ${TURN_LANE} < $2), 1
    UNION ALL
    SELECT (SELECT MIN(${TURN_LANE}) FROM runs WHERE ${TURN_LANE} > lanes.lane AND ${TURN_LANE} < $2), lanes.number + 1
    FROM lanes WHERE lanes.lane IS NOT NULL AND lanes.number < $3
  )
  SELECT ${COLUMNS} FROM runs WHERE run_id IN (
    SELECT (SELECT run_id FROM runs WHERE ${TURN_LANE} = found.lane ORDER BY ${QUEUED_AT}, run_id LIMIT 1)
    FROM lanes AS found WHERE found.lane IS NOT NULL)`;
/** A turn whose workspace somebody else has, since an instant, is left to them. The server leaves it to workers in any case. */
const NOT_LEFT = `AND (home IS NULL OR home IN ($5, '${SERVER_HOME}') OR COALESCE(turn_asked_at, '') < $6)`;
const nextInLane = (notLeft = "", notHeld = "") => `
  SELECT ${COLUMNS} FROM runs WHERE ${TURN_LANE} = $1 AND (${QUEUED_AT}, run_id) > ($2, $3) ${notLeft} ${notHeld}
  ORDER BY ${QUEUED_AT}, run_id LIMIT $4`;
const NEXT_IN_LANE = nextInLane();
const NEXT_IN_LANE_NOT_LEFT = nextInLane(NOT_LEFT);
const ONE = `SELECT ${COLUMNS}, placement FROM runs WHERE run_id = $1 AND state = 'QUEUED'`;

/** What is asked of the database with claims. */
export const CLAIM_QUERIES: Readonly<Record<string, string>> = {
  FACTORIES,
  HEADS,
  NEXT_IN_LANE,
  NEXT_IN_LANE_NOT_LEFT,
};

/** A run that is claimed to be executed, or only to be ended: a budget that is used up refuses it. */
export type ClaimableRun = WaitingRun & { refusal?: UsedUpDay };

/** What can be claimed, and the limits of a day that were found used up on the way. */
export interface Claimable {
  runs: ClaimableRun[];
  usedUp: UsedUpDay[];
  /** The turns that factories and automations have when these runs are claimed. */
  turns: TakenTurns[];
}

/** What is asked for, when, and who asks. */
interface Asked {
  at: string;
  caps: RunCaps;
  reach: ClaimReach;
}

/** The next waiting runs within reach that there is room for: each factory in its turn, and in it each automation. */
export async function claimable(
  db: Database,
  limit: number,
  at: string,
  caps: RunCaps,
  reach: ClaimReach,
): Promise<Claimable> {
  const room = await roomUnder(db, caps, at);
  if (room.isClosed) return { runs: [], usedUp: [], turns: [] };
  const asked = { at, caps, reach };
  if (reach.run !== undefined) return claimableRun(db, reach.run, room, asked);
  const waiting = await waitingFactories(db, asked, room);
  const runs: ClaimableRun[] = [];
  while (runs.length < limit) {
    const run = await waiting.next(limit - runs.length);
    if (!run) break;
    runs.push(run);
  }
  return { runs, usedUp: room.usedUp(), turns: waiting.taken() };
}

/**
 * Whether runs of other factories have their turn before a run of a factory that a number of its own runs precede.
 * @param ahead how many
 */
export async function isBehindOthers(
  db: Database,
  { run_id, factory_uid }: WaitingRun,
  ahead: number,
  { at, caps, reach }: Asked,
): Promise<boolean> {
  const room = await roomUnder(db, caps, at);
  const waiting = await waitingFactories(db, { at, caps, reach }, room);
  for (let left = ahead + 1; left > 0; left -= 1) {
    const next = await waiting.next(left);
    if (!next || next.run_id === run_id) return false;
    if (next.factory_uid !== factory_uid) return true;
  }
  return false;
}

async function claimableRun(
  db: Database,
  id: string,
  room: Room,
  { caps, reach }: Asked,
): Promise<Claimable> {
  const { placements, factories } = reach;
  const run = await db.first<WaitingRow & { placement: string }>(ONE, [id]);
  const isWithin =
    run &&
    placements.includes(run.placement) &&
    (factories === null || (run.factory_uid !== null && factories.includes(run.factory_uid)));
  if (!isWithin || (await holdOf(run, room))) return { runs: [], usedUp: room.usedUp(), turns: [] };
  const [factory, automation] = [run.factory_uid ?? "", run.automation_uid ?? ""];
  const ofAll = await siblings(db, reach, ALL_FACTORIES, weightsOf(caps));
  const ofFactory = await siblings(db, reach, factory);
  ofAll.turns.take(factory);
  ofFactory.turns.take(automation);
  return { runs: [run], usedUp: room.usedUp(), turns: [ofAll.taken(), ofFactory.taken()] };
}

/** Takes a run. @returns what holds it back; what refuses it is noted with it, and holds it no longer */
async function holdOf(run: ClaimableRun, room: Room): Promise<LaneHold | undefined> {
  const hold = await room.take(run);
  if (hold?.kind !== "budget" || !hold.day.skips) return hold;
  run.refusal = hold.day;
  return undefined;
}

const weightsOf =
  ({ shares = {} }: RunCaps) =>
  (factory: string) =>
    shares[factory]?.weight ?? 1;

/** Factories, or the automations of one, and the turns that they have had with the one that claims. */
interface Siblings {
  turns: Turns;
  taken(): TakenTurns;
}

async function siblings(
  db: Database,
  { executor = "" }: ClaimReach,
  parent: string,
  weightOf?: (owner: string) => number,
): Promise<Siblings> {
  const earlier = await listTurns(db, executor, parent);
  const known = new Set(earlier.map(({ owner }) => owner));
  const turns = turnsAfter(earlier, weightOf);
  return {
    turns,
    taken() {
      const taken = turns.taken();
      return { executor, parent, turns: taken, isNew: taken.some(({ owner }) => !known.has(owner)) };
    },
  };
}

/** One without siblings has every turn, and no turns are kept. */
const ALONE: Siblings = {
  turns: { compare: () => 0, take: () => {}, taken: () => [] },
  taken: () => ({ executor: "", parent: "", turns: [], isNew: false }),
};

/** Up to so many lanes are read at once. A server with few factories and automations has no more. */
const FEW_LANES = 32;
/** A factory can have thousands of automations, and each may have runs that wait. */
const MAX_LANES = 10_000;
/** Runs of one lane that are read at once. */
const MAX_OF_LANE = 100;

type WaitingRow = ClaimableRun & {
  lane: string;
  queued_at: string;
  home: string | null;
  turn_asked_at: string | null;
};

/** The agents, and the automations that have started families, whose runs have to wait in a lane. */
interface HeldInLane {
  agents: readonly string[];
  roots: readonly string[];
}

/** Waiting runs that are like each other for caps and pauses, in their order. */
interface Lane {
  automation: string;
  /** Those that were read and are left. */
  rows: WaitingRow[];
  /** The last one that was read; nothing where it was the last one of all. */
  last: WaitingRow | undefined;
  held: HeldInLane;
}

interface WaitingFactory {
  uid: string;
  /** Nothing before they are looked at. */
  lanes: Lane[] | undefined;
  automations: Siblings | undefined;
}

/** The runs that wait, one after the other as they are to be claimed. */
interface WaitingFactories {
  /** @param limit how many more are asked for at most */
  next(limit: number): Promise<ClaimableRun | undefined>;
  taken(): TakenTurns[];
}

async function waitingFactories(db: Database, asked: Asked, room: Room): Promise<WaitingFactories> {
  const { at, caps, reach } = asked;
  const waiting = await factoriesWithin(db, reach);
  const all = waiting.length > 1 ? await siblings(db, reach, ALL_FACTORIES, weightsOf(caps)) : ALONE;
  const looked: WaitingFactory[] = [];

  async function nextOf(factory: WaitingFactory, limit: number): Promise<ClaimableRun | undefined> {
    if (await room.holdOfFactory(factory.uid)) return undefined;
    if (!factory.lanes || !factory.automations) {
      factory.lanes ??= (await headsBetween(db, reach, MAX_LANES, factory.uid)).map(laneOf);
      const isOne = factory.lanes.every(({ automation }) => automation === factory.lanes?.[0]?.automation);
      factory.automations = isOne ? ALONE : await siblings(db, reach, factory.uid);
      looked.push(factory);
    }
    const { lanes, automations } = factory;
    for (;;) {
      const lane = await firstLane(lanes, automations.turns, limit);
      const run = lane?.rows.shift();
      if (!lane || !run) return undefined;
      const hold = await holdOf(run, room);
      if (!hold) {
        if (!run.refusal) automations.turns.take(lane.automation);
        return run;
      }
      if (!holdInLane(lane, run, hold)) lanes.splice(lanes.indexOf(lane), 1);
    }
  }

  /** Those without runs are dropped on the way. */
  async function firstLane(lanes: Lane[], turns: Turns, limit: number): Promise<Lane | undefined> {
    let first: Lane | undefined;
    for (const lane of [...lanes]) {
      if (lane.rows.length === 0) await readOn(db, lane, reach, limit);
      if (lane.rows.length === 0) lanes.splice(lanes.indexOf(lane), 1);
      else if (!first || compareLanes(lane, first, turns, at) < 0) first = lane;
    }
    return first;
  }

  return {
    async next(limit) {
      while (waiting.length > 0) {
        const factory = waiting.reduce((first, each) =>
          (all.turns.compare(each.uid, first.uid) || compareHeads(each, first)) < 0 ? each : first,
        );
        const run = await nextOf(factory, limit);
        if (run && !run.refusal) all.turns.take(factory.uid);
        if (run) return run;
        waiting.splice(waiting.indexOf(factory), 1);
      }
      return undefined;
    },
    taken: () =>
      [all.taken(), ...looked.flatMap(({ automations }) => automations?.taken() ?? [])].filter(
        ({ turns }) => turns.length > 0,
      ),
  };
}

/** The factories within reach that have runs, with all their lanes where these are few. */
async function factoriesWithin(db: Database, reach: ClaimReach): Promise<WaitingFactory[]> {
  if (reach.factories !== null) return [...new Set(reach.factories)].map(unlooked);
  const heads = await headsBetween(db, reach, FEW_LANES + 1);
  if (heads.length <= FEW_LANES) {
    const factories = new Map<string, WaitingFactory & { lanes: Lane[] }>();
    for (const head of heads) {
      const uid = head.row.factory_uid ?? "";
      const factory = factories.get(uid) ?? { ...unlooked(uid), lanes: [] };
      factory.lanes.push(laneOf(head));
      factories.set(uid, factory);
    }
    return [...factories.values()];
  }
  const uids = new Set<string>();
  for (const placement of new Set(reach.placements)) {
    const rows = await db.all<{ factory: string }>(FACTORIES, turnLanesOf(placement));
    for (const { factory } of rows) uids.add(factory);
  }
  return [...uids].map(unlooked);
}

const unlooked = (uid: string): WaitingFactory => ({ uid, lanes: undefined, automations: undefined });

/** The first run of a lane, and whether it is left to others. */
interface LaneHead {
  row: WaitingRow;
  isLeft: boolean;
}

/** The first run of each lane. @returns no more than so many */
async function headsBetween(
  db: Database,
  reach: ClaimReach,
  limit: number,
  factory?: string,
): Promise<LaneHead[]> {
  const heads: LaneHead[] = [];
  for (const placement of new Set(reach.placements)) {
    const left = limit - heads.length;
    const rows = await db.all<WaitingRow>(HEADS, [...turnLanesOf(placement, factory), left]);
    for (const row of rows) heads.push({ row, isLeft: isLeft(row, reach) });
    if (heads.length >= limit) break;
  }
  return heads;
}

function isLeft({ home, turn_asked_at }: WaitingRow, { home: own, leftSince }: ClaimReach): boolean {
  if (leftSince === undefined || home === null || home === SERVER_HOME || home === own) return false;
  return (turn_asked_at ?? "") >= leftSince;
}

function laneOf({ row, isLeft }: LaneHead): Lane {
  const held = { agents: [], roots: [] };
  return { automation: row.automation_uid ?? "", rows: isLeft ? [] : [row], last: row, held };
}

/** Reads the next runs of a lane. */
async function readOn(db: Database, lane: Lane, reach: ClaimReach, limit: number): Promise<void> {
  const { last, held } = lane;
  if (!last) return;
  const { home = "", leftSince } = reach;
  const left = leftSince === undefined ? [] : [home, leftSince];
  const known = left.length > 0 ? NEXT_IN_LANE_NOT_LEFT : NEXT_IN_LANE;
  const isAnyHeld = held.agents.length + held.roots.length > 0;
  const sql = isAnyHeld ? nextNotOf(held, left.length) : known;
  const most = Math.min(limit, MAX_OF_LANE);
  const rows = await db.all<WaitingRow>(sql, [
    ...[last.lane, last.queued_at, last.run_id, most],
    ...left,
    ...held.agents,
    ...held.roots,
  ]);
  lane.rows = rows;
  lane.last = rows.length < most ? undefined : rows.at(-1);
}

/** Steps over the runs that are held one by one. */
function nextNotOf({ agents, roots }: HeldInLane, left: number): string {
  const notIn = (column: string, count: number, before: number) =>
    count === 0 ? "" : `AND COALESCE(${column}, '') NOT IN (${placeholders(count, before)})`;
  const others = `${notIn("agent_uid", agents.length, 4 + left)} ${notIn("root_automation_uid", roots.length, 4 + left + agents.length)}`;
  return nextInLane(left > 0 ? NOT_LEFT : "", others);
}

/**
 * Holds the runs of an agent, or of the automation of a family's root, whose budget is used up.
 * @returns false where the whole lane waits: nothing else is different in it
 */
function holdInLane(lane: Lane, run: ClaimableRun, hold: LaneHold): boolean {
  if (hold.kind !== "budget") return false;
  const { uid } = hold.day.owner;
  const { agents, roots } = lane.held;
  if (uid === run.agent_uid) {
    lane.held = { agents: [...agents, uid], roots };
    lane.rows = lane.rows.filter(({ agent_uid }) => agent_uid !== uid);
    return true;
  }
  if (uid !== run.root_automation_uid || uid === run.automation_uid) return false;
  lane.held = { agents, roots: [...roots, uid] };
  lane.rows = lane.rows.filter(({ root_automation_uid }) => root_automation_uid !== uid);
  return true;
}

function compareLanes(one: Lane, other: Lane, turns: Turns, at: string): number {
  const [a, b] = [one.rows[0], other.rows[0]];
  if (!a || !b) return a ? -1 : 1;
  if (one.automation === other.automation) return compareRuns(a, b);
  return (
    urgencyOf(a.queued_at, at) - urgencyOf(b.queued_at, at) ||
    turns.compare(one.automation, other.automation) ||
    compareRuns(a, b)
  );
}

/** Of two factories that have waited equally long, the one with the older run; nothing where that is not known. */
function compareHeads(one: WaitingFactory, other: WaitingFactory): number {
  const [a, b] = [oldestOf(one), oldestOf(other)];
  return a && b ? compareRuns(a, b) : 0;
}

function oldestOf({ lanes = [] }: WaitingFactory): WaitingRow | undefined {
  let oldest: WaitingRow | undefined;
  for (const { rows } of lanes)
    if (rows[0] && (!oldest || compareRuns(rows[0], oldest) < 0)) oldest = rows[0];
  return oldest;
}

function compareRuns(a: WaitingRow, b: WaitingRow): number {
  if (a.queued_at !== b.queued_at) return a.queued_at < b.queued_at ? -1 : 1;
  return a.run_id < b.run_id ? -1 : 1;
}
