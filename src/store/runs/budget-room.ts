import {
  type BudgetOwner,
  type Budgets,
  isUsedUp,
  ownersOf,
  type UsedUpDay,
} from "../../runs/rules/budget.ts";
import type { Database } from "../sqlite/database.ts";
import type { WaitingRun } from "./run-room.ts";
import { findSpent } from "./spend.ts";
import { countStarted, dayOf } from "./started-runs.ts";

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
export function budgetRoom(db: Database, budgets: Budgets, at: string): BudgetRoom {
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
    for (const { budget, ...owner } of ownersOf(placesOf(run), budgets)) {
      const { usdPerDay, runsPerDay } = budget;
      const skips = budget.onExhausted === "skip";
      if (usdPerDay !== undefined) {
        const used = await spentBy(owner);
        if (isUsedUp(used, usdPerDay))
          found.push(note({ owner, limit: "usdPerDay", most: usdPerDay, used, skips }));
      }
      if (runsPerDay !== undefined && run.first_claimed_at === null) {
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
      for (const { budget, ...owner } of ownersOf(placesOf(run), budgets)) {
        const { runsPerDay: most, onExhausted } = budget;
        if (most === undefined) continue;
        const used = (await startedBy(owner)) + 1;
        started.set(owner.uid, used);
        if (used >= most) note({ owner, limit: "runsPerDay", most, used, skips: onExhausted === "skip" });
      }
    },
    usedUp: () => [...usedUp.values()],
  };
}

function placesOf({ factory_uid, agent_uid, automation_uid }: WaitingRun) {
  return { factoryUid: factory_uid, agentUid: agent_uid, automationUid: automation_uid };
}
