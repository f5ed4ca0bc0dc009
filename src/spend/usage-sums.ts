/** What usage can be summed by. */
export const USAGE_GROUPS = ["automation", "agent", "factory", "model", "day"] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** A span of time between two instants; the second one is not in it. */
export interface Span {
  from: string;
  to: string;
}

/** What was used, summed. */
export interface Used {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** In US dollars; nothing when no cost is known. */
  costUsd: number | null;
  /** Tokens of input and output whose cost is not known. */
  unpricedTokens: number;
}

/** What agents took of their machines, summed over turns that have ended. */
export interface Worked {
  /** How long agents were alive. */
  workedMs: number;
  /** Nothing when it was counted for no turn; and so with the memory. */
  cpuMs: number | null;
  /** The most that one turn has taken. */
  peakMemoryBytes: number | null;
}

/** Sums of one group in one factory. */
export interface UsageSums extends Used, Worked {
  /** Null for runs of none. */
  factoryUid: string | null;
  /** The automation, the agent or the model; null for runs that have none, and where groups are factories or days. */
  key: string | null;
  /** How many runs have used something, each counted once. */
  runs: number;
  /** How many of them have told nothing of models. */
  runsWithoutUsage: number;
}

/** What one run has used. */
export interface RunSpend extends Used {
  runId: string;
  factoryUid: string | null;
}

/** Sums what turns have used. Usage is dated by when it was told last, and work by the end of its turn. */
export interface SpendStore {
  /** When the oldest usage was told, or the oldest turn ended. */
  findFirstUse(): Promise<string | undefined>;
  /**
   * Sums one part of a longer span.
   * @param within the whole span: a run counts in the part in which it comes first
   */
  listUsageSums(by: UsageGroup, part: Span, within: Span): Promise<UsageSums[]>;
  /** The runs with the highest known costs in a span, the costliest first. @param factoryUids of all when nothing is given */
  listCostliestRuns(
    span: Span,
    factoryUids: readonly string[] | undefined,
    limit: number,
  ): Promise<{ runId: string; costUsd: number }[]>;
  /** What runs have used in a span. */
  listRunSpend(runIds: readonly string[], span: Span): Promise<RunSpend[]>;
  /** The costs of the last runs of an automation that have ended and whose cost is known as a whole. */
  listRunCosts(automationUid: string, limit: number): Promise<number[]>;
}

/** Costs together. @returns nothing when both are unknown */
export function addKnown(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0);
}

/** The larger one. @returns nothing when both are unknown */
export function maxKnown(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
