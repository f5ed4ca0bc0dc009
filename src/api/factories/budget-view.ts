import type { Models } from "../../client/typed-paths.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import { runCaps } from "../../runs/caps.ts";
import type { RunStore } from "../../runs/run-store.ts";

export interface BudgetViewDeps {
  runs: Pick<RunStore, "listBudgetUse">;
  now: () => Date;
}

/** The budgets that the active definitions of factories set, by the uids of what they are of, with what is used of each. */
export async function budgetViews(
  factories: readonly Factory[],
  { runs, now }: BudgetViewDeps,
): Promise<ReadonlyMap<string, Models["Budget"]>> {
  const { budgets } = runCaps(factories);
  if (Object.keys(budgets).length === 0) return new Map();
  const used = await runs.listBudgetUse(budgets, now().toISOString());
  return new Map(
    Object.entries(budgets).map(([uid, { kind: _, name: __, onExhausted = "wait", ...limits }]) => {
      const { usd = 0, runs: started = 0, opensAt = null } = used[uid] ?? {};
      return [
        uid,
        { ...limits, onExhausted, used: { usdPerDay: usd, runsPerDay: started }, opens_at: opensAt },
      ];
    }),
  );
}
