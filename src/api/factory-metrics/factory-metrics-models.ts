import { SIZES, STAGES } from "../../insight/factory-pull-requests.ts";
import { ref } from "../http/operation.ts";
import { count, instant, optionalText, text } from "../http/shapes.ts";

const amount = { type: "number", minimum: 0 };
const optionalAmount = { type: ["number", "null"], minimum: 0 };

export const objectOf = (properties: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

/** An object of figures, which can have the same figures for each period. */
const figures = (properties: Record<string, object>, rest: Record<string, object> = {}, more = {}) =>
  objectOf(
    { ...properties, ...rest },
    {
      series: {
        type: "array",
        items: objectOf({ ...properties, ...more }),
        description: "The same figures for each period of period_list, if group_by_period is set.",
      },
    },
  );

/** What every answer says of itself. */
export const common = {
  as_of: { ...instant, description: "The time as of which the data is current." },
  team_uid: { ...text, description: "Always empty: a server has no teams." },
  factory_uid: text,
};
const periods = {
  period_list: {
    type: "array",
    items: { type: "string", format: "date" },
    description: "The first day of each period, if group_by_period is set.",
  },
};
/** An answer that is an object of figures itself. */
const answerOf = (properties: Record<string, object>, rest: Record<string, object> = {}, more = {}) => {
  const answer = figures(properties, { ...common, ...rest }, more);
  return { ...answer, properties: { ...answer.properties, ...periods } };
};

const stage = objectOf({
  median_seconds: { ...optionalAmount, description: "null if no pull request was measured." },
  measured_pr_count: {
    ...count,
    description: "The pull requests of which both ends of the stage are known.",
  },
});

const dollarFigures = {
  inference: { ...amount, description: "What models cost, as far as it is known." },
  compute: { ...amount, description: "Always 0: the machines are your own." },
  platform: { ...amount, description: "Always 0." },
  total: amount,
  unpriced_tokens: {
    ...count,
    description: "Tokens whose cost is not known. If this is not 0, the real cost is higher.",
  },
};

const mean = { ...optionalAmount, description: "The mean cost of a pull request; null if there is none." };

export const factoryMetricsModels = {
  FactoryMetrics: answerOf(
    {
      run_count: { ...count, description: "Runs that were created." },
      pr_count: { ...count, description: "Pull requests that a run reported for the first time." },
      merged_pr_count: {
        ...count,
        description: "Of the pull requests that were opened, the number that have been merged since.",
      },
      average_human_interactions_per_pr: {
        ...optionalAmount,
        description:
          "The mean of human_interactions.total over the pull requests of pr_count; null if there is none.",
      },
    },
    {
      autonomy_funnel: figures(
        {
          total_merged: {
            ...count,
            description: "All pull requests of these repositories that were merged.",
          },
          factory_merged: {
            ...count,
            description: "The merged pull requests that runs of the factory reported.",
          },
          factory_merged_observed: {
            ...count,
            description: "The number of factory_merged whose history is complete.",
          },
          merged_without_human_code_change: {
            ...count,
            description: "The number of factory_merged_observed to which no person pushed code.",
          },
        },
        {
          repos: {
            type: "array",
            items: text,
            description: "The repositories that the deliveries of pull requests to this factory name.",
          },
        },
      ),
      impact: figures({
        additions: count,
        deletions: count,
        merged_pr_count: count,
        measured_pr_count: { ...count, description: "The pull requests whose size is known." },
      }),
      pr_latency: figures({
        merged_pr_count: count,
        ...Object.fromEntries(STAGES.map((each) => [each, ref("CycleStage")])),
      }),
    },
  ),
  CycleStage: stage,
  RunGroupCount: figures({ total: count }, { key: text, label: optionalText }),
  RunBreakdown: answerOf(
    {
      total: { ...count, description: "The runs that are counted." },
      root_run_count: { ...count, description: "The runs that no other run has started." },
    },
    {
      groups: {
        type: "array",
        items: ref("RunGroupCount"),
        description: "The largest first, at most 1,000.",
      },
    },
  ),
  Dollars: figures(dollarFigures),
  CostGroup: objectOf({
    key: text,
    label: optionalText,
    deleted: { type: "boolean", description: "Whether the user or the agent has been removed since." },
    photo_url: { type: "null" },
    dollars: ref("Dollars"),
  }),
  CostBreakdown: objectOf(
    {
      ...common,
      total: ref("Dollars"),
      groups: { type: "array", items: ref("CostGroup"), description: "The costliest first, at most 1,000." },
    },
    periods,
  ),
  PrCosts: answerOf(
    {
      pr_count: { ...count, description: "Pull requests that a run reported for the first time." },
      dollars: objectOf(dollarFigures),
      mean,
    },
    {},
    { inference_mean: mean, compute_mean: mean, platform_mean: mean },
  ),
  PrSizeCost: figures({ pr_count: count, mean }, { size: { type: "string", enum: SIZES } }),
  PrCostsBySize: answerOf(
    {
      pr_count: count,
      sized_pr_count: { ...count, description: "The pull requests whose size is known." },
    },
    { buckets: { type: "array", items: ref("PrSizeCost") } },
  ),
} as const;
