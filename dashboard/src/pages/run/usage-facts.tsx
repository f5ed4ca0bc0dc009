import type { Models } from "../../api/client.ts";
import { Fact } from "../../parts/facts.tsx";
import { costText } from "../../parts/runs/cost-text.ts";
import { sizeText } from "../../parts/size-text.ts";
import { durationText } from "../../parts/time/time-text.ts";

/** What the models of a run were used for, and what that cost where it is known. */
export function UsageFacts({ usage }: { usage: Models["RequestUsage"] }) {
  const { inference_cost_usd: cost, model_token_usage: models } = usage;
  return (
    <>
      {models.map(({ model_id, tokens_by_category: { input, input_cache_read, output } }) => (
        <Fact key={model_id} name={`Tokens (${model_id})`}>
          {numberText(input + input_cache_read)} in
          {input_cache_read > 0 && ` (${numberText(input_cache_read)} cached)`}, {numberText(output)} out
        </Fact>
      ))}
      {cost !== undefined && <Fact name="Cost">{costText(cost)}</Fact>}
    </>
  );
}

/** What a run has cost with all runs that descend from it, where that is more than its own cost. */
export function FamilyCostFact({
  run: { cost_usd: own, family_cost_usd: family },
}: {
  run: Models["RunItem"];
}) {
  if (family === undefined || family === own) return null;
  return <Fact name="Cost with children">{costText(family)}</Fact>;
}

/** What the agents of a run have taken of the machine, as far as that was counted. */
export function ResourceFacts({ resources }: { resources: Models["RunResources"] }) {
  const { cpu_seconds: cpu, peak_memory_bytes: memory } = resources;
  return (
    <>
      {cpu !== null && <Fact name="CPU time">{durationText(cpu * 1_000)}</Fact>}
      {memory !== null && <Fact name="Peak memory">{sizeText(memory)}</Fact>}
    </>
  );
}

/** All of it in a few words. */
export function usageText({
  inference_cost_usd: cost,
  model_token_usage: models,
}: Models["RequestUsage"]): string {
  const tokens = models.reduce(
    (sum, { tokens_by_category: { input, input_cache_read, output } }) =>
      sum + input + input_cache_read + output,
    0,
  );
  return `${numberText(tokens)} tokens${cost === undefined ? "" : `, ${costText(cost)}`}`;
}

const numberText = (value: number) => value.toLocaleString("en");
