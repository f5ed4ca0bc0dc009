import { SHOWN_HOURS } from "../../ingress/delivery-hours.ts";
import { RATED_RUNS } from "../../runs/rules/success-rate.ts";
import { ref } from "../http/operation.ts";
import { count, instant, optionalInstant, optionalText, text } from "../http/shapes.ts";

/** A number for each hour that is shown. */
export const hourly = (description: string) => ({
  type: "array",
  description: `${description} One number for each of ${SHOWN_HOURS} hours, oldest first.`,
  items: count,
  minItems: SHOWN_HOURS,
  maxItems: SHOWN_HOURS,
});
export const hoursSince = {
  ...instant,
  description: "The start of the first of the 24 hours. The last one is the current hour.",
};

export const MAX_COUNTED_RUNS = 10_000;

const summary = { last_run: ref("LastRun"), ended_runs: ref("EndedRuns"), success_rate: ref("SuccessRate") };

export const runSummaryModels = {
  LastRun: {
    type: ["object", "null"],
    description: "The run that was created last; null if there is none.",
    additionalProperties: false,
    required: [
      "run_id",
      "title",
      "state",
      "created_at",
      "finished_at",
      "delivery_id",
      "webhook_uid",
      "pull_request_url",
    ],
    properties: {
      run_id: text,
      title: text,
      state: ref("RunState"),
      created_at: instant,
      finished_at: optionalInstant,
      delivery_id: { ...optionalText, description: "The delivery that started the run." },
      webhook_uid: { ...optionalText, description: "The webhook that received the delivery." },
      pull_request_url: {
        ...optionalText,
        description: "The pull request that the run reported last.",
      },
    },
  },
  EndedRuns: {
    type: "object",
    description: `How the last ${RATED_RUNS} ended runs ended. FAILED and ERROR count as failed.`,
    additionalProperties: false,
    required: ["succeeded", "failed", "cancelled"],
    properties: { succeeded: count, failed: count, cancelled: count },
  },
  SuccessRate: {
    type: ["number", "null"],
    minimum: 0,
    maximum: 1,
    description: "The share of these runs that succeeded, without cancelled runs; null if there are none.",
  },
  RunSummary: {
    type: "object",
    additionalProperties: false,
    required: Object.keys(summary),
    properties: summary,
  },
  AutomationActivity: {
    type: "object",
    additionalProperties: false,
    required: [
      "uid",
      "name",
      "factory",
      "factory_uid",
      "enabled",
      "schedules",
      "missed",
      "timezone",
      "next_fire_at",
      ...Object.keys(summary),
      "runs",
      "runs_failed",
      "starts_refused",
    ],
    properties: {
      uid: text,
      name: text,
      factory: text,
      factory_uid: text,
      enabled: { type: "boolean" },
      schedules: {
        type: "array",
        description: "The schedules in the automation's file.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["cron", "name"],
          properties: {
            cron: { ...optionalText, description: "Null if it follows schedules created through the API." },
            name: optionalText,
          },
        },
      },
      missed: {
        type: "string",
        enum: ["skip", "once"],
        description:
          "Whether a schedule whose time passed while the server was down is skipped or fires once.",
      },
      timezone: { ...text, description: "The time zone of the cron expressions." },
      next_fire_at: {
        ...optionalInstant,
        description:
          "When a schedule of the automation fires next; null if it has none, or while the automation is disabled or paused, or its factory is suspended.",
      },
      ...summary,
      runs: hourly("The runs created in each hour."),
      runs_failed: hourly("Those of them that have since ended in the state FAILED or ERROR."),
      starts_refused: {
        type: "integer",
        minimum: 0,
        description:
          "The events of the factory in this time that did not start the automation, because it would have exceeded a limit on runs that start each other.",
      },
    },
  },
  AutomationActivityList: {
    type: "object",
    additionalProperties: false,
    required: ["since", "automations"],
    properties: { since: hoursSince, automations: { type: "array", items: ref("AutomationActivity") } },
  },
  AgentActivity: {
    type: "object",
    additionalProperties: false,
    required: ["uid", "name", "factory", "factory_uid", ...Object.keys(summary), "runs", "has_more_runs"],
    properties: {
      uid: text,
      name: text,
      factory: { ...optionalText, description: "Null for an agent without a factory." },
      factory_uid: optionalText,
      ...summary,
      runs: {
        ...count,
        maximum: MAX_COUNTED_RUNS,
        description: `The number of runs that the agent has executed, counted up to ${MAX_COUNTED_RUNS}.`,
      },
      has_more_runs: { type: "boolean", description: "Whether there are more runs than that." },
    },
  },
  AgentActivityList: {
    type: "object",
    additionalProperties: false,
    required: ["agents"],
    properties: { agents: { type: "array", items: ref("AgentActivity") } },
  },
} as const;
