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

/** A used-up day for which runs wait. */
export interface AwaitedDay {
  day: UsedUpDay;
  /** Whose definition sets the budget; null for an owner that is deleted. */
  factoryUid: string | null;
  /** Since when the first of the runs waits. */
  since: string;
  /** When runs can start again, as far as that is known. */
  opensAt: string | null;
}

/** Finds what is used of budgets. */
export interface BudgetStore {
  /** By the uids of their owners. */
  listBudgetUse(budgets: Budgets, at: string): Promise<Record<string, BudgetUse>>;
  /** The days of budgets that are used up and for which runs wait, one for each owner. Budgets that end runs have none. */
  listAwaitedDays(budgets: Budgets, at: string): Promise<AwaitedDay[]>;
  /** Forgets what was used longer ago than every day. @returns how many minutes of it */
  pruneSpend(at: string, limit: number): Promise<number>;
}

/** A run as far as budgets look at it. */
export interface BudgetedRun {
  factoryUid: string | null;
  agentUid: string | null;
  automationUid: string | null;
  /** The automation of its family's root, whose money it uses too; nothing for a root. */
  rootAutomationUid?: string | null;
}

/** A limit that a run alone uses up, and who has set it; nobody for its own request. */
export interface RunLimit {
  most: number;
  owner: BudgetOwner | null;
}

/** A limit that a run uses up together with all runs of its factory that descend from it. */
export interface FamilyLimit extends RunLimit {
  rootId: string;
  factoryUid: string | null;
}

/** What a turn is held against: the tightest limits of its run and of its family, and the days of all whose run it is. */
export interface TurnBudget {
  /** Of the run alone, which is not the root of its family. */
  usdPerRun?: RunLimit;
  familyUsd?: FamilyLimit;
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
      /** The root of the family that has used it, where that is more than the run alone. */
      family?: string;
    }
  | { limit: "price"; model: string };

/** An owner of budgets with its limits. */
interface Owned extends BudgetOwner {
  budget: Budget;
  /** Whether it has started the family of the run only: of its limits, the one of the money of a day counts. */
  isOfRoot: boolean;
}

/** The owners of budgets whose run it is, the widest one first, each once. */
export function ownersOf(
  { factoryUid, agentUid, automationUid, rootAutomationUid = null }: BudgetedRun,
  budgets: Budgets,
): Owned[] {
  const own = [factoryUid, agentUid, automationUid];
  return [...new Set([...own, rootAutomationUid])].flatMap((uid) => {
    const found = uid === null ? undefined : budgets[uid];
    if (uid === null || !found) return [];
    const { kind, name, ...budget } = found;
    return [{ uid, kind, name, budget, isOfRoot: !own.includes(uid) }];
  });
}

/** A run as its budget depends on it. */
export type TurnedRun = BudgetedRun & {
  id: string;
  ancestors: readonly string[];
  config: AmbientAgentConfig;
};

/**
 * @param root the root of the family of a run that is none itself, as long as it is stored
 * @returns nothing for a run without a limit for what it uses
 */
export function turnBudgetOf(run: TurnedRun, budgets: Budgets, root?: TurnedRun): TurnBudget | undefined {
  const days = ownersOf(run, budgets).flatMap(
    ({ uid, kind, name, budget: { usdPerDay: most, onExhausted } }) =>
      most === undefined ? [] : [{ most, owner: { uid, kind, name }, skips: onExhausted === "skip" }],
  );
  const isRoot = run.ancestors.length === 0;
  const usdPerRun = isRoot ? undefined : tightest("usdPerRun", run, budgets);
  const familyUsd = familyLimitOf(run, budgets, root);
  const tokensPerRun = tightest("tokensPerRun", run, budgets);
  if (!usdPerRun && !familyUsd && !tokensPerRun && days.length === 0) return undefined;
  return {
    ...(usdPerRun ? { usdPerRun } : {}),
    ...(familyUsd ? { familyUsd } : {}),
    ...(tokensPerRun ? { tokensPerRun } : {}),
    days,
  };
}

/**
 * The tightest limit of the root for the money of each of its runs, which covers its family. It is none for the runs of another
 * factory that a key has started in it: no factory limits those of another one. Of a root that was deleted, its automation is known.
 */
export function familyLimitOf(
  run: TurnedRun,
  budgets: Budgets,
  root: TurnedRun | undefined,
): FamilyLimit | undefined {
  const [rootId = run.id] = run.ancestors;
  const { rootAutomationUid: automationUid = null, factoryUid } = run;
  if (root && root.factoryUid !== factoryUid) return undefined;
  const gone = { factoryUid: null, agentUid: null, automationUid, config: {} };
  const limit = tightest("usdPerRun", rootId === run.id ? run : (root ?? gone), budgets);
  return limit && { ...limit, rootId, factoryUid };
}

/** The lowest of the limits that the owners of a run and its own request set. */
function tightest(
  of: keyof RunLimits,
  run: Omit<TurnedRun, "id" | "ancestors">,
  budgets: Budgets,
): RunLimit | undefined {
  const requested = run.config.budget?.[of];
  const limits: RunLimit[] = requested === undefined ? [] : [{ most: requested, owner: null }];
  for (const { uid, kind, name, budget, isOfRoot } of ownersOf(run, budgets)) {
    const most = budget[of];
    if (most !== undefined && !isOfRoot) limits.push({ most, owner: { uid, kind, name } });
  }
  return limits.sort((one, other) => one.most - other.most)[0];
}

/** Whether it counts what models cost. */
export function countsUsd({ usdPerRun, familyUsd, days }: TurnBudget): boolean {
  return usdPerRun !== undefined || familyUsd !== undefined || days.length > 0;
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
      if (over.family !== undefined) return familyMessage(over.family, over);
      return `The run has used ${exactUsdText(over.used)}, and ${limitedBy(over.owner)} limits ${runOf(over.owner)} to ${exactUsdText(over.most)} (usdPerRun). ${RAISE}`;
    case "tokensPerRun":
      return `The run has used ${tokens(over.used)}, and ${limitedBy(over.owner)} limits ${runOf(over.owner)} to ${tokens(over.most)} (tokensPerRun). ${RAISE}`;
    case "usdPerDay":
      return `The runs of ${limitedBy(over.owner)} have used ${exactUsdText(over.used)} in the last 24 hours, and its budget is ${exactUsdText(over.most)} (usdPerDay). Raise the budget, or wait until less was used in 24 hours.`;
    case "price":
      return unpricedMessage(over.model);
  }
}

/** That the money of a family is used up, and who has limited it. */
function familyMessage(rootId: string, { used, most, owner }: RunLimit & { used: number }): string {
  return `The family of run ${rootId} has used ${exactUsdText(used)}, and ${limitedBy(owner)} limits ${runOf(owner)} to ${exactUsdText(most)} together with all runs that descend from it (usdPerRun). ${RAISE}`;
}

/** The message to the root of a family whose money is used up. */
export function familyUsedUpText({ most, owner }: RunLimit): string {
  return `The run and all runs that descend from it have used up the ${exactUsdText(most)} that ${limitedBy(owner)} allows them together (usdPerRun). No further run of the family starts, and each one that uses more ends.`;
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
