import type { Harness } from "../../definitions/definition.ts";

/** What a model was used for in a turn, as the agent's program tells it. */
export interface ModelUsage {
  /** Nothing where the program does not name it. */
  model: string | null;
  /** All of the input, with what was read from a cache. */
  inputTokens: number;
  outputTokens: number;
  /** The part of the input that was read from a cache. */
  cachedTokens: number;
  /** Nothing where the program does not know its price. */
  costUsd: number | null;
  /** That a part of it was not told: it is estimated by how long requests and answers are. */
  isEstimate?: boolean;
}

/** Usage in which each model has a name: a program that does not tell it was asked for one, or uses its own. */
export function nameModels(
  usage: readonly ModelUsage[],
  { model: asked, type }: Pick<Harness, "model" | "type">,
): (ModelUsage & { model: string })[] {
  return usage.map(({ model, ...rest }) => ({ ...rest, model: model ?? asked ?? type }));
}

/** Adds up usages by model. */
export function sumUsage(usages: Iterable<ModelUsage>): ModelUsage[] {
  const sums = new Map<string | null, ModelUsage>();
  for (const usage of usages) {
    const before = sums.get(usage.model);
    sums.set(usage.model, before ? added(before, usage) : usage);
  }
  return [...sums.values()];
}

function added(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    model: one.model,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    costUsd:
      one.costUsd === null && other.costUsd === null ? null : (one.costUsd ?? 0) + (other.costUsd ?? 0),
    ...(one.isEstimate || other.isEstimate ? { isEstimate: true } : {}),
  };
}

/** What is left of the usage of a whole session when that of its earlier turns, by the same names of models, is taken away. */
export function lessEarlier<Named extends ModelUsage>(
  usages: readonly Named[],
  earlier: readonly Named[],
): Named[] {
  return usages.map((usage) => {
    const [before] = sumUsage(earlier.filter(({ model }) => model === usage.model));
    return before ? { ...usage, ...less(usage, before) } : usage;
  });
}

function less(usage: ModelUsage, before: ModelUsage): Omit<ModelUsage, "model"> {
  const rest = (one: number, other: number) => Math.max(0, one - other);
  return {
    inputTokens: rest(usage.inputTokens, before.inputTokens),
    outputTokens: rest(usage.outputTokens, before.outputTokens),
    cachedTokens: rest(usage.cachedTokens, before.cachedTokens),
    costUsd: usage.costUsd === null ? null : rest(usage.costUsd, before.costUsd ?? 0),
  };
}

/** A number of an event; programs of other versions may leave it out. */
export function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
