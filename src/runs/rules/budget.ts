import type { Budget, RunLimits } from "../../definitions/definition.ts";
import type { AmbientAgentConfig } from "../ambient-agent-config.ts";

/** What a budget is of. */
export type BudgetOwnerKind = "factory" | "agent" | "automation";

/** Whose budget it is. */
export interface BudgetOwner {
  uid: string;
  kind: BudgetOwnerKind;
  name: string;
}

/** The budgets that definitions set, by the uids of their owners; what is not in it has none. */
export type Budgets = Readonly<Record<string, Budget & Omit<BudgetOwner, "uid">>>;

/** The limits of a day, which the runs of an owner use up together. */
export const DAY_LIMITS = ["usdPerDay", "runsPerDay"] as const;
export type DayLimit = (typeof DAY_LIMITS)[number];

/** A limit of a day that is used up. */
export interface UsedUpDay {
  owner: BudgetOwner;
  limit: DayLimit;
  most: number;
  used: number;
  /** Whether runs that would start end, in place of waiting. */
  skips: boolean;
}

/** What of the limits of a day is used, whether there is a limit or not. */
export interface BudgetUse {
  /** In US dollars. */
  usd: number;
  runs: number;
  /** When runs can start again; nothing while they can. */
  opensAt: string | null;
}

/** Finds what is used of budgets. */
export interface BudgetStore {
  /** By the uids of their owners. */
  listBudgetUse(budgets: Budgets, at: string): Promise<Record<string, BudgetUse>>;
  /** Forgets what was used longer ago than every day. @returns how many minutes of it */
  pruneSpend(at: string, limit: number): Promise<number>;
}

/** A run as far as budgets look at it. */
export interface BudgetedRun {
  factoryUid: string | null;
  agentUid: string | null;
  automationUid: string | null;
}

/** A limit that a run alone uses up, and who has set it; nobody for its own request. */
export interface RunLimit {
  most: number;
  owner: BudgetOwner | null;
}

/** What a turn is held against: the tightest limits of its run, and the days of all whose run it is. */
export interface TurnBudget {
  usdPerRun?: RunLimit;
  tokensPerRun?: RunLimit;
  days: (RunLimit & { owner: BudgetOwner; skips: boolean })[];
}

/** What a turn has gone over, or why that cannot be known. */
export type OverBudget =
  | {
      limit: "usdPerRun" | "tokensPerRun" | "usdPerDay";
      most: number;
      used: number;
      owner: BudgetOwner | null;
    }
  | { limit: "price"; model: string };

/** The owners of budgets whose run it is, the widest one first. */
export function ownersOf(
  { factoryUid, agentUid, automationUid }: BudgetedRun,
  budgets: Budgets,
): (BudgetOwner & { budget: Budget })[] {
  return [factoryUid, agentUid, automationUid].flatMap((uid) => {
    const found = uid === null ? undefined : budgets[uid];
    if (uid === null || !found) return [];
    const { kind, name, ...budget } = found;
    return [{ uid, kind, name, budget }];
  });
}

/** @returns nothing for a run without a limit for what it uses */
export function turnBudgetOf(
  run: BudgetedRun & { config: AmbientAgentConfig },
  budgets: Budgets,
): TurnBudget | undefined {
  const owners = ownersOf(run, budgets);
  const tightest = (of: keyof RunLimits): RunLimit | undefined => {
    const requested = run.config.budget?.[of];
    const limits: RunLimit[] = requested === undefined ? [] : [{ most: requested, owner: null }];
    for (const { budget, ...owner } of owners) {
      const most = budget[of];
      if (most !== undefined) limits.push({ most, owner });
    }
    return limits.sort((one, other) => one.most - other.most)[0];
  };
  const usdPerRun = tightest("usdPerRun");
  const tokensPerRun = tightest("tokensPerRun");
  const days = owners.flatMap(({ budget: { usdPerDay: most, onExhausted }, ...owner }) =>
    most === undefined ? [] : [{ most, owner, skips: onExhausted === "skip" }],
  );
  if (!usdPerRun && !tokensPerRun && days.length === 0) return undefined;
  return { ...(usdPerRun ? { usdPerRun } : {}), ...(tokensPerRun ? { tokensPerRun } : {}), days };
}

/** Whether it counts what models cost. */
export function countsUsd({ usdPerRun, days }: TurnBudget): boolean {
  return usdPerRun !== undefined || days.length > 0;
}

/** Sums of costs are compared in millionths of a dollar: what is less is an error of adding them up. */
const MILLIONTHS = 1_000_000;
const inMillionths = (usd: number) => Math.round(usd * MILLIONTHS);

/** Whether a limit is used up: then nothing else starts. */
export function isUsedUp(used: number, most: number): boolean {
  return inMillionths(used) >= inMillionths(most);
}

/** Whether more than a limit was used: then what is in progress ends. */
export function isPassed(used: number, most: number): boolean {
  return inMillionths(used) > inMillionths(most);
}
