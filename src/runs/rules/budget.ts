import type { Budget, RunLimits } from "../../definitions/definition.ts";
import { exactUsdText } from "../../insight/usd-text.ts";
import { pluralize } from "../../pluralize.ts";
import type { AmbientAgentConfig } from "../run-config.ts";

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
type DayLimit = (typeof DAY_LIMITS)[number];

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

/** Why a run is ended that has gone over a budget, and what to do about it. */
export function overBudgetMessage(over: OverBudget): string {
  switch (over.limit) {
    case "usdPerRun":
      return `The run has used ${exactUsdText(over.used)}, and ${limitedBy(over.owner)} limits ${runOf(over.owner)} to ${exactUsdText(over.most)} (usdPerRun). ${RAISE}`;
    case "tokensPerRun":
      return `The run has used ${tokens(over.used)}, and ${limitedBy(over.owner)} limits ${runOf(over.owner)} to ${tokens(over.most)} (tokensPerRun). ${RAISE}`;
    case "usdPerDay":
      return `The runs of ${limitedBy(over.owner)} have used ${exactUsdText(over.used)} in the last 24 hours, and its budget is ${exactUsdText(over.most)} (usdPerDay). Raise the budget, or wait until less was used in 24 hours.`;
    case "price":
      return unpricedMessage(over.model);
  }
}

const RAISE = "Raise the budget, or give the agent a smaller task.";

/** Why a run with a budget in US dollars cannot go on with a model. */
export function unpricedMessage(model: string): string {
  return `The run has a budget in US dollars, and the price of the model ${model} is not known. Set it under prices: in millrace.yaml, choose a model whose price is known, or use tokensPerRun instead.`;
}

/** What a limit of a day is. */
export function dayLimitText(limit: DayLimit, most: number): string {
  return limit === "usdPerDay"
    ? `The limit is ${exactUsdText(most)} in 24 hours (usdPerDay).`
    : `The limit is ${pluralize(most, "run")} in 24 hours (runsPerDay).`;
}

/** That a day is used up, without what follows from it. */
export function usedUpText({ owner, limit, most, used }: UsedUpDay): string {
  const of = `The ${owner.kind} ${owner.name}`;
  return limit === "usdPerDay"
    ? `${of} has used ${exactUsdText(used)} of ${exactUsdText(most)} in the last 24 hours (usdPerDay).`
    : `${of} has started ${used} of ${pluralize(most, "run")} in the last 24 hours (runsPerDay).`;
}

/** Why a run is ended in place of waiting. */
export function skippedMessage(day: UsedUpDay): string {
  return `${usedUpText(day)} The run was not started, because onExhausted is skip. Raise the budget, or run it again when less was used in 24 hours.`;
}

const tokens = (count: number) => pluralize(Math.round(count), "token");
const limitedBy = (owner: BudgetOwner | null) => (owner ? `the ${owner.kind} ${owner.name}` : "its request");
const runOf = (owner: BudgetOwner | null) => (owner ? "each run" : "it");

/** All tokens of some usage: input and output, with what was read from a cache. */
export function tokensOf(usages: readonly { inputTokens: number; outputTokens: number }[]): number {
  return usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
}
