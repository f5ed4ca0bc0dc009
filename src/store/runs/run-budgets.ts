import { type BudgetUse, isUsedUp } from "../../runs/rules/budget.ts";
import type { RunStore } from "../../runs/run.ts";
import type { Database } from "../sqlite/database.ts";
import { findSpendOpening, findSpent, pruneSpend } from "./spend.ts";
import { countStarted, dayOf, startOpening } from "./started-runs.ts";

/** What is used of the budgets of definitions. */
export function runBudgets(db: Database): Pick<RunStore, "listBudgetUse" | "pruneSpend"> {
  return {
    async listBudgetUse(budgets, at) {
      const found: Record<string, BudgetUse> = {};
      for (const [uid, { kind, usdPerDay, runsPerDay }] of Object.entries(budgets)) {
        const owner = { uid, kind };
        const usd = await findSpent(db, uid, at);
        const runs = await countStarted(db, dayOf(owner), at);
        const openings = [
          usdPerDay !== undefined && isUsedUp(usd, usdPerDay)
            ? await findSpendOpening(db, uid, usdPerDay, at)
            : undefined,
          runsPerDay === undefined ? undefined : await startOpening(db, dayOf(owner), runsPerDay, at),
        ];
        // Both have to have room.
        found[uid] = {
          usd,
          runs,
          opensAt:
            openings
              .filter((each) => each !== undefined)
              .sort()
              .at(-1) ?? null,
        };
      }
      return found;
    },
    pruneSpend: (at, limit) => pruneSpend(db, at, limit),
  };
}
