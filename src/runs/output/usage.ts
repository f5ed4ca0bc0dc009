/** What a model was used for in one turn of a run. */
export interface TurnUsage {
  turn: number;
  model: string;
  /** All of the input, with what was read from a cache. */
  inputTokens: number;
  outputTokens: number;
  /** The part of the input that was read from a cache. */
  cachedTokens: number;
  /** In US dollars, as the harness reckons it; nothing where it tells none. */
  costUsd: number | null;
  reportedAt: string;
}

/** Adds up costs. @returns nothing when none of them is known */
export function sumCosts(usages: readonly Pick<TurnUsage, "costUsd">[]): number | null {
  const known = usages.flatMap(({ costUsd }) => (costUsd === null ? [] : [costUsd]));
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

/** Keeps what models were used for. */
export interface UsageStore {
  /** Records all that the models of the turn were used for so far, in the place of what was recorded of it before. */
  keepUsage(
    claim: { id: string; ticket: number },
    usage: readonly Omit<TurnUsage, "turn" | "reportedAt">[],
    at: string,
  ): Promise<void>;
  /** By run, turn by turn. */
  listUsage(runIds: readonly string[]): Promise<Record<string, TurnUsage[]>>;
}
