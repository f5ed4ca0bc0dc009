import { type ModelUsage, sumUsage } from "../../harness/model-usage.ts";

/** What the models have told that the programs of a run have asked through their proxy. */
export interface MeasuredUsage {
  /** By model. */
  list(): readonly ModelUsage[];
  count(usage: ModelUsage): void;
}

/** A host can make up as many names of models as it likes. */
const MAX_MODELS = 50;
const OTHER_MODELS = "(other models)";

/** @param onChange is called after each change */
export function measureUsage(onChange: () => void): MeasuredUsage {
  let used: ModelUsage[] = [];
  return {
    list: () => used,
    count(usage) {
      const isKnown = used.length < MAX_MODELS || used.some(({ model }) => model === usage.model);
      used = sumUsage([...used, isKnown ? usage : { ...usage, model: OTHER_MODELS }]);
      onChange();
    },
  };
}
