import type { Span } from "./usage.ts";

/** What runs can be counted by. */
export const RUN_GROUPS = ["agent_type", "status", "source", "root_vs_subrun", "model", "harness"] as const;
export type RunGroup = (typeof RUN_GROUPS)[number];

/** What spend can be summed by. */
export const SPEND_GROUPS = ["source", "user", "agent", "model"] as const;
export type SpendGroup = (typeof SPEND_GROUPS)[number];

/** Runs of one group. */
export interface RunCount {
  /** The UID of the agent where runs are counted by its type. Null for runs that have none. */
  key: string | null;
  runs: number;
  /** Those of them that no other run has started. */
  rootRuns: number;
}

/** What models were used for, as far as it is known. */
export interface Spend {
  /** In US dollars. */
  costUsd: number;
  /** Tokens of input and output whose cost is not known. */
  unpricedTokens: number;
}

/** The spend of one group. */
export interface GroupSpend extends Spend {
  /** Null for runs that have none, or that are deleted and left only their cost. */
  key: string | null;
  /** What the user of the key is called. */
  label: string | null;
}

/** What one model has cost in all runs of a family. */
export interface TreeSpend extends Spend {
  rootId: string;
  model: string;
}

/** Counts the runs of a factory, and sums what they have cost. */
export interface FactoryMetricsStore {
  /** When the first run of any factory was created. */
  findFirstRun(): Promise<string | undefined>;
  /** Runs that were created in a span. */
  listRunCounts(factoryUid: string, by: RunGroup, span: Span): Promise<RunCount[]>;
  /** What was used in a span. Sources and users are those of the runs that families began with. */
  listSpend(factoryUid: string, by: SpendGroup, span: Span): Promise<GroupSpend[]>;
  /** What the families of these runs, at most 100, have cost in the factory. */
  listTreeSpend(factoryUid: string, rootIds: readonly string[]): Promise<TreeSpend[]>;
}
