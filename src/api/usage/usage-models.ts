import { ref } from "../http/operation.ts";
import { count, instant, optionalCount, optionalInstant, optionalText, text } from "../http/shapes.ts";
import { usageCounts } from "../runs/output/usage-models.ts";

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
