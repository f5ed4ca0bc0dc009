import type { RunCaps } from "../../runs/caps.ts";
import {
  type BudgetOwner,
  type Budgets,
  isUsedUp,
  ownersOf,
  type UsedUpDay,
} from "../../runs/rules/budget.ts";
import { isHeldBy } from "../../runs/rules/pause.ts";
import type { LaneHold } from "../../runs/rules/waiting.ts";
import type { Database } from "../sqlite/database.ts";
import { listPauses } from "../tables/pause-store.ts";
import { findSpent } from "./spend.ts";
import { countStarted, dayOf, hourOf } from "./started-runs.ts";

/** A waiting run as far as caps and pauses look at it. */
export interface WaitingRun {
  run_id: string;
  factory_uid: string | null;
  automation_uid: string | null;
  agent_uid: string | null;
  /** The automation that has started its family. */
  root_automation_uid: string | null;
  webhook_uid: string | null;
  /** Of one that a worker has had before: it is counted in that hour, and not again. */
  first_claimed_at: string | null;
}

/** What there is room for under the caps and the pauses: counted in the store, and less with each run that is taken. */
export interface Room {
  /** Whether the whole server is paused, so that no run has to be looked at. */
  isClosed: boolean;
  /** What holds all runs of a factory back, so that none of them has to be looked at. */
  holdOfFactory(uid: string): Promise<LaneHold | undefined>;
  /** Takes the room for a run. @returns what holds the run back; nothing when there was room */
  take(run: WaitingRun): Promise<LaneHold | undefined>;
  /** The limits of a day that are used up, as far as runs were held against them. */
  usedUp(): UsedUpDay[];
}

const NOWHERE = { factoryUid: null, webhookUid: null, automationUid: null };

export async function roomUnder(db: Database, caps: RunCaps, at: string): Promise<Room> {
  const pauses = await listPauses(db);
  const leftAtOnce = new Map<string, number>();
  const leftInHour = new Map<string, number>();
  const leftOfShare = new Map<string, number>();
  const budgets = budgetRoom(db, caps.budgets, at);
  let working: Promise<Map<string, number>> | undefined;

  async function atOnce(uid: string | null): Promise<number> {
    const cap = uid === null ? undefined : caps.automations[uid];
    if (uid === null || cap === undefined) return Number.POSITIVE_INFINITY;
    working ??= countWorking(db);
    return leftAtOnce.get(uid) ?? cap - ((await working).get(uid) ?? 0);
  }

  async function inHour(uid: string | null): Promise<number> {
    const cap = uid === null ? undefined : caps.factories[uid];
    if (uid === null || cap === undefined) return Number.POSITIVE_INFINITY;
    return leftInHour.get(uid) ?? cap - (await countStarted(db, hourOf(uid), at));
  }

  async function ofShare(uid: string | null): Promise<number> {
    const cap = uid === null ? undefined : caps.shares?.[uid]?.maxRuns;
    if (uid === null || cap === undefined) return Number.POSITIVE_INFINITY;
    working ??= countWorking(db);
    return leftOfShare.get(uid) ?? cap - ((await working).get(uid) ?? 0);
  }

  async function shareHold(uid: string): Promise<LaneHold> {
    return { kind: "share", cap: caps.shares?.[uid]?.maxRuns ?? 0, working: (await working)?.get(uid) ?? 0 };
  }

  async function automationHold(uid: string | null): Promise<LaneHold> {
    const [cap, count] = uid === null ? [0, 0] : [caps.automations[uid], (await working)?.get(uid)];
    return { kind: "automation_limit", cap: cap ?? 0, working: count ?? 0 };
  }

  async function hourHold(uid: string | null): Promise<LaneHold> {
    const cap = (uid === null ? undefined : caps.factories[uid]) ?? 0;
    return { kind: "hourly_limit", cap, started: uid === null ? 0 : await countStarted(db, hourOf(uid), at) };
  }

  return {
    isClosed: pauses.some((pause) => isHeldBy(pause, NOWHERE)),
    usedUp: budgets.usedUp,
    async holdOfFactory(uid) {
      const pause = pauses.find((each) => isHeldBy(each, { ...NOWHERE, factoryUid: uid }));
      if (pause) return { kind: "paused", pause };
      return (await ofShare(uid)) <= 0 ? shareHold(uid) : undefined;
    },
    async take(run) {
      const { automation_uid, factory_uid, webhook_uid, first_claimed_at } = run;
      const place = { factoryUid: factory_uid, webhookUid: webhook_uid, automationUid: automation_uid };
      const pause = pauses.find((each) => isHeldBy(each, place));
      if (pause) return { kind: "paused", pause };
      const automation = await atOnce(automation_uid);
      const factory = first_claimed_at === null ? await inHour(factory_uid) : Number.POSITIVE_INFINITY;
      const share = await ofShare(factory_uid);
      if (factory_uid !== null && share <= 0) return shareHold(factory_uid);
      if (automation <= 0) return automationHold(automation_uid);
      if (factory <= 0) return hourHold(factory_uid);
      const day = await budgets.findUsedUp(run);
      if (day) return { kind: "budget", day };
      await budgets.take(run);
      if (factory_uid !== null) leftOfShare.set(factory_uid, share - 1);
      if (automation_uid !== null) leftAtOnce.set(automation_uid, automation - 1);
      if (factory_uid !== null && first_claimed_at === null) leftInHour.set(factory_uid, factory - 1);
      return undefined;
    },
  };
}

/** Runs that a worker has, by factory and by automation, also those whose agent waits for a person: at most as many rows as runs execute at once. */
async function countWorking(db: Database): Promise<Map<string, number>> {
  const rows = await db.all<{ factory_uid: string | null; automation_uid: string | null; runs: number }>(
    `SELECT factory_uid, automation_uid, COUNT(*) AS runs FROM runs
     WHERE lease_expires_at IS NOT NULL GROUP BY factory_uid, automation_uid`,
  );
  const working = new Map<string, number>();
  for (const { factory_uid: factory, automation_uid: automation, runs } of rows) {
    for (const uid of [factory, automation])
      if (uid !== null) working.set(uid, (working.get(uid) ?? 0) + runs);
  }
  return working;
}

/** What budgets leave of the day: counted in the store, and less with each run that is taken. */
export interface BudgetRoom {
  /** The first limit of a day that is used up for a run; one by which it ends comes before one for which it waits. */
  findUsedUp(run: WaitingRun): Promise<UsedUpDay | undefined>;
  /** Takes the room for a run. */
  take(run: WaitingRun): Promise<void>;
  /** The limits that are used up, as far as was asked. */
  usedUp(): UsedUpDay[];
}

/** Asks nothing of the database for a run without budgets. */
function budgetRoom(db: Database, budgets: Budgets, at: string): BudgetRoom {
  const spent = new Map<string, number>();
  const started = new Map<string, number>();
  const usedUp = new Map<string, UsedUpDay>();

  async function spentBy({ uid }: BudgetOwner): Promise<number> {
    const known = spent.get(uid) ?? (await findSpent(db, uid, at));
    spent.set(uid, known);
    return known;
  }

  async function startedBy(owner: BudgetOwner): Promise<number> {
    const known = started.get(owner.uid) ?? (await countStarted(db, dayOf(owner), at));
    started.set(owner.uid, known);
    return known;
  }

  function note(day: UsedUpDay): UsedUpDay {
    usedUp.set(`${day.owner.uid} ${day.limit}`, day);
    return day;
  }

  async function daysOf(run: WaitingRun): Promise<UsedUpDay[]> {
    const found: UsedUpDay[] = [];
    for (const { budget, isOfRoot, ...owner } of ownersOf(placesOf(run), budgets)) {
      const { usdPerDay, runsPerDay } = budget;
      const skips = budget.onExhausted === "skip";
      if (usdPerDay !== undefined) {
        const used = await spentBy(owner);
        if (isUsedUp(used, usdPerDay))
          found.push(note({ owner, limit: "usdPerDay", most: usdPerDay, used, skips }));
      }
      if (runsPerDay !== undefined && !isOfRoot && run.first_claimed_at === null) {
        const used = await startedBy(owner);
        if (used >= runsPerDay)
          found.push(note({ owner, limit: "runsPerDay", most: runsPerDay, used, skips }));
      }
    }
    return found;
  }

  return {
    async findUsedUp(run) {
      const days = await daysOf(run);
      return days.find(({ skips }) => skips) ?? days[0];
    },
    async take(run) {
      if (run.first_claimed_at !== null) return;
      for (const { budget, isOfRoot, ...owner } of ownersOf(placesOf(run), budgets)) {
        const { runsPerDay: most, onExhausted } = budget;
        if (most === undefined || isOfRoot) continue;
        const used = (await startedBy(owner)) + 1;
        started.set(owner.uid, used);
        if (used >= most) note({ owner, limit: "runsPerDay", most, used, skips: onExhausted === "skip" });
      }
    },
    usedUp: () => [...usedUp.values()],
  };
}

function placesOf({ factory_uid, agent_uid, automation_uid, root_automation_uid }: WaitingRun) {
  return {
    factoryUid: factory_uid,
    agentUid: agent_uid,
    automationUid: automation_uid,
    rootAutomationUid: root_automation_uid,
  };
}
