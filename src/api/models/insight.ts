import { SIZES, STAGES } from "../../insight/factory-pull-requests.ts";
import { INTERACTIONS, PULL_REQUEST_STATES } from "../../insight/pull-request.ts";
import { ref } from "../http/operation.ts";
import { usageCounts } from "./run-output.ts";
import { count, instant, optionalCount, optionalInstant, optionalText, text } from "./shapes.ts";

const amount = { type: "number", minimum: 0 };
const optionalAmount = { type: ["number", "null"], minimum: 0 };

const objectOf = (properties: Record<string, object>, optional: Record<string, object> = {}) => ({
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
const common = {
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

const used = {
  ...usageCounts,
  cost_usd: {
    ...usageCounts.cost_usd,
    description:
      "The known cost in US dollars: what harnesses report, and otherwise the tokens times the price of their model. null if no cost is known.",
  },
};

const row = {
  key: {
    ...text,
    description:
      "The group: factory/automation, factory/agent, the name of a factory, a model, or a date in UTC. (none) stands for runs that have no such thing. The UID is used for what no longer has a name.",
  },
  uid: { ...optionalText, description: "The UID of the automation, the agent or the factory." },
  factory: { ...optionalText, description: "The name of the factory of an automation or an agent." },
  runs: { ...count, description: "Runs that used something in the period, each counted once." },
  runs_without_usage: {
    ...count,
    description: "Those of them whose harness reported no tokens: what they used is unknown.",
  },
  ...used,
  family_cost_usd: {
    type: ["number", "null"],
    description:
      "The known cost of the families whose roots are in the group: of these roots with all runs that descend from them, whatever group those are in. If groups are models or days, the same as cost_usd. null if no cost is known.",
  },
  work_seconds: {
    type: ["number", "null"],
    minimum: 0,
    description:
      "How long agents were running, in turns that ended in the period. null if groups are models, because turns are not divided by model.",
  },
  cpu_seconds: {
    type: ["number", "null"],
    minimum: 0,
    description: "The CPU time of these agents; null if it was not measured.",
  },
  peak_memory_bytes: {
    ...optionalCount,
    description: "The highest peak memory of one of these agents; null if it was not measured.",
  },
};

const period = {
  since: { ...instant, description: "The beginning of the period." },
  until: { ...instant, description: "The end of the period." },
};

const run = {
  run_id: { type: "string", format: "uuid", description: "A random ID if the run has been deleted." },
  title: { ...optionalText, description: "null if the run has been deleted." },
  state: { anyOf: [ref("RunState"), { type: "null" }] },
  created_at: optionalInstant,
  factory: { ...optionalText, description: "The name of its factory." },
  automation: { ...optionalText, description: "The name of its automation." },
  agent: { ...optionalText, description: "The name of its agent." },
  ...used,
  family_cost_usd: {
    type: ["number", "null"],
    description:
      "Of the root of a family: the known cost in the period of it and of all runs that descend from it. null for other runs.",
  },
};

const reportOf = (properties: Record<string, object>, rest: object = {}) => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
  ...rest,
});

export const usageReportModels = {
  UsageRow: reportOf(row),
  UsageReport: reportOf({
    usage: {
      type: "array",
      items: ref("UsageRow"),
      description:
        "Days from the oldest to the newest; other groups from the highest to the lowest cost. At most 1,000.",
    },
    ...period,
  }),
  RunSpend: reportOf(run),
  RunSpendList: reportOf({
    runs: { type: "array", items: ref("RunSpend"), description: "The costliest first." },
    ...period,
  }),
};

const flag = { type: "boolean" };

const record = {
  provider: { type: ["string", "null"], enum: ["github", "gitlab", null] },
  repo_full_name: optionalText,
  pr_number: optionalCount,
  url: text,
  title: optionalText,
  author_login: optionalText,
  factory_uid: text,
  team_uid: common.team_uid,
  state: {
    type: ["string", "null"],
    enum: [...PULL_REQUEST_STATES, null],
    description: "null if no delivery of its forge names the pull request.",
  },
  opened_at: optionalInstant,
  first_human_review_at: optionalInstant,
  merged_at: optionalInstant,
  closed_at: optionalInstant,
  updated_at: instant,
  additions: optionalCount,
  deletions: optionalCount,
  changed_files: optionalCount,
  num_commits: optionalCount,
  human_interactions: objectOf({
    ...Object.fromEntries(INTERACTIONS.map((each) => [each, count])),
    follow_up_message: { ...count, description: "Messages that people sent to the runs." },
    total: count,
  }),
  human_code_change: {
    ...flag,
    description: "Whether a person is known to have opened the pull request, or to have pushed to it.",
  },
  history_complete: {
    ...flag,
    description: "Whether the factory received the delivery of its opening.",
  },
  runs: {
    type: "array",
    items: objectOf({ run_id: text, root_run_id: text, created_at: instant }),
    description: "The runs that reported it, the oldest first.",
  },
  kickoff_at: { ...instant, description: "When the first of these runs was created." },
  cycle_time: objectOf(
    Object.fromEntries(
      STAGES.map((each) => [
        each,
        {
          type: ["number", "null"],
          minimum: 0,
          description: "In seconds; null if one of the two ends is unknown, or the end came first.",
        },
      ]),
    ),
  ),
};

export const pullRequestModels = {
  PullRequest: objectOf(record),
  PullRequestList: objectOf({
    ...common,
    data: { type: "array", items: ref("PullRequest"), description: "The last reported first." },
    page_info: ref("PageInfo"),
  }),
  CostlyPullRequest: objectOf({
    ...record,
    dollars: ref("Dollars"),
    models: {
      type: "array",
      items: objectOf({
        model_id: text,
        inference: { type: "number", minimum: 0, description: "Its part of dollars.inference." },
      }),
      description: "The costliest first, at most 100.",
    },
    creator: ref("RunCreatorInfo"),
    source: text,
    requested_model_id: optionalText,
  }),
  CostliestPullRequests: objectOf({
    ...common,
    data: { type: "array", items: ref("CostlyPullRequest"), description: "The costliest first." },
  }),
} as const;
