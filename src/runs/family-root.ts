import { type Budgets, type FamilyLimit, familyLimitOf } from "./rules/budget.ts";
import type { Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";

/** The root of the family of a run that is none itself, as long as it is stored. */
export async function findRoot(
  { ancestors: [rootId] }: Pick<Run, "ancestors">,
  store: Pick<RunStore, "find">,
): Promise<Run | undefined> {
  return rootId === undefined ? undefined : store.find(rootId);
}

/** What the family of a run may cost. */
export async function findFamilyLimit(
  run: Run,
  budgets: Budgets,
  store: Pick<RunStore, "find">,
): Promise<FamilyLimit | undefined> {
  return familyLimitOf(run, budgets, await findRoot(run, store));
}
