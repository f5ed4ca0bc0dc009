import type { CostSource } from "../../insight/prices.ts";
import type { OverBudget, TurnBudget } from "../rules/budget.ts";

/** Who says what a model was used for: the program of the turn, or a proxy that has measured it on the way. */
export type UsageSource = "harness" | "proxy";

/** What a model was used for in one turn of a run, as it is told. */
export interface ToldUsage {
  model: string;
  /** All of the input, with what was read from a cache. */
  inputTokens: number;
  outputTokens: number;
  /** The part of the input that was read from a cache. */
  cachedTokens: number;
  /** In US dollars; nothing where nobody knows it. */
  costUsd: number | null;
  /** That a part of it was not told: it is estimated by how long requests and answers are. */
  isEstimate?: boolean;
}

/** The same with where its cost comes from. */
export interface CostedUsage extends ToldUsage {
  /** Nothing where the cost is unknown. */
  costSource: CostSource | null;
}

/** What a model was used for in one turn of a run, as it is kept. */
export interface TurnUsage extends CostedUsage {
  turn: number;
  /** `estimate` where a part of what was measured is one. */
  source: UsageSource | "estimate";
  reportedAt: string;
}

/** What the agent of a turn has taken of its machine, with all that it has started; nothing where that was not counted. */
export interface TurnResources {
  cpuMs: number | null;
  peakMemoryBytes: number | null;
}

/** A turn with what it has taken. */
export interface TurnWork extends TurnResources {
  turn: number;
  /** How long its agent was alive, in milliseconds; nothing while the turn goes on. */
  workedMs: number | null;
}

/** Adds up costs. @returns nothing when none of them is known */
export function sumCosts(usages: readonly Pick<TurnUsage, "costUsd">[]): number | null {
  const known = usages.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

/** Keeps what turns have used. */
export interface UsageStore {
  /**
   * Records all that the models of the turn were used for so far, in the place of what was recorded of it before. Of what the program
   * tells and what was measured, the larger one counts, since an agent could have its program tell less: the two are never added up.
   * @returns what of its budget the run is over, now that this is counted
   */
  keepUsage(
    claim: { id: string; ticket: number },
    usage: readonly CostedUsage[],
    source: UsageSource,
    at: string,
    budget?: TurnBudget,
  ): Promise<OverBudget | undefined>;
  /** Which of its own limits and those of its family a run is over whose turn would start. */
  findOverBudget(id: string, budget: TurnBudget): Promise<OverBudget | undefined>;
  /** Records what the agent of the turn has taken of its machine. */
  keepResources(claim: { id: string; ticket: number }, resources: TurnResources, at: string): Promise<void>;
  /** By run, turn by turn. */
  listUsage(runIds: readonly string[]): Promise<Record<string, TurnUsage[]>>;
  /**
   * What families have cost, by the ids of their roots; nothing where no cost is known.
   * @param within uids of the only factories whose runs count; null counts all
   */
  listFamilyCosts(
    rootIds: readonly string[],
    within: readonly string[] | null,
  ): Promise<Record<string, number | null>>;
  /** By run, turn by turn, of turns that have ended or of which something was counted. */
  listTurnWork(runIds: readonly string[]): Promise<Record<string, TurnWork[]>>;
  /** Forgets the usage of runs that are there no more, and that was told before an instant. @returns of how many turns and models */
  forgetUsage(before: string, limit: number): Promise<number>;
}
