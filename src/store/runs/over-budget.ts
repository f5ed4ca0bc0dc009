import type { TurnUsage } from "../../runs/output/usage.ts";
import { countsUsd, isPassed, isUsedUp, type OverBudget, type TurnBudget } from "../../runs/rules/budget.ts";
import type { Database } from "../sqlite/database.ts";
import { findSpent } from "./spend.ts";
import { tellUsedUp } from "./used-up-days.ts";

/** What of a budget a run has gone over with what it has just told. */
export async function findOverBudget(
  db: Database,
  id: string,
  usage: readonly Pick<TurnUsage, "model" | "inputTokens" | "outputTokens" | "costUsd">[],
  budget: TurnBudget,
  at: string,
): Promise<OverBudget | undefined> {
  const unpriced = usage.find(
    ({ costUsd, inputTokens, outputTokens }) => costUsd === null && inputTokens + outputTokens > 0,
  );
  // Before the run itself ends for another reason: others of the day may be over it, too.
  const day = await findDayOver(db, budget, at);
  return (
    (await findRunOver(db, id, budget)) ??
    day ??
    (unpriced && countsUsd(budget) ? { limit: "price", model: unpriced.model } : undefined)
  );
}

/** Which of the limits of a run alone it is over. */
export async function findRunOver(
  db: Database,
  id: string,
  { usdPerRun, tokensPerRun }: Omit<TurnBudget, "days">,
): Promise<OverBudget | undefined> {
  if (!usdPerRun && !tokensPerRun) return undefined;
  const used = await db.first<{ usd: number | null; tokens: number | null }>(
    "SELECT SUM(cost_usd) AS usd, SUM(input_tokens + output_tokens) AS tokens FROM run_usage WHERE run_id = $1",
    [id],
  );
  const [usd, tokens] = [used?.usd ?? 0, used?.tokens ?? 0];
  if (usdPerRun && isPassed(usd, usdPerRun.most)) return { limit: "usdPerRun", used: usd, ...usdPerRun };
  if (tokensPerRun && tokens > tokensPerRun.most)
    return { limit: "tokensPerRun", used: tokens, ...tokensPerRun };
  return undefined;
}

async function findDayOver(db: Database, { days }: TurnBudget, at: string): Promise<OverBudget | undefined> {
  let over: OverBudget | undefined;
  for (const { owner, most, skips } of days) {
    const used = await findSpent(db, owner.uid, at);
    if (isUsedUp(used, most)) await tellUsedUp(db, [{ owner, limit: "usdPerDay", most, used, skips }], at);
    if (isPassed(used, most)) over ??= { limit: "usdPerDay", owner, most, used };
  }
  return over;
}
