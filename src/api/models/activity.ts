import { OUTCOMES } from "../../ingress/delivery.ts";
import { SHOWN_HOURS } from "../../ingress/delivery-hours.ts";
import { RATED_RUNS } from "../../runs/rules/success-rate.ts";
import { ref } from "../http/operation.ts";
import { count, described, instant, optionalInstant, optionalText, record, text } from "./shapes.ts";

const dropped = {
  over_budget: {
    ...count,
    description:
      "Deliveries that were refused with 429 and without a record, because they exceeded a budget of their webhook. Counted by the hour, for 31 days.",
  },
  blocked: {
    ...count,
    description:
      "Deliveries that were refused with 429 and without a record, because their address had failed to authenticate too often. Counted by the hour, for 31 days.",
  },
};

const ofHour = {
  accepted: count,
  duplicates: count,
  rejected: count,
  runs: { ...count, description: "Runs created in that time." },
  runs_failed: {
    ...count,
    description: "Runs created in that time that have since ended in the state FAILED or ERROR.",
  },
  ...dropped,
};

const counts = {
  ...ofHour,
  runs_succeeded: { ...count, description: "Runs created in that time that have since succeeded." },
  runs_cancelled: { ...count, description: "Runs created in that time that have since been cancelled." },
};

/** The models of what deliveries and runs there were. */
export const activityModels = {
  ActivityHour: described("The activity of one hour, from the given time.", { at: instant, ...ofHour }),
  Activity: record({ hours: { type: "array", items: ref("ActivityHour"), description: "Oldest first." } }),
  ActivityCounts: record(counts),
  ActivityBucket: described("The activity of a minute, an hour or a day, from the given time.", {
    at: instant,
    ...counts,
  }),
  ActivityHistory: record({
    bucket_seconds: { type: "integer", minimum: 1, description: "The length of each bucket." },
    buckets: {
      type: "array",
      items: ref("ActivityBucket"),
      description: "Oldest first. The last bucket contains the current time.",
    },
  }),
  FactoryActivity: record({
    uid: text,
    factory: { ...text, description: "The name of the factory." },
    runs_waiting: { ...count, description: "Queued runs." },
    runs_in_progress: { ...count, description: "Runs that have been claimed or whose agent is working." },
    runs_waiting_for_runs: {
      ...count,
      description: "Runs that wait for other runs. They have no agent, and are not counted as in progress.",
    },
    runs_blocked: { ...count, description: "Runs that wait for a person." },
    last_24_hours: ref("ActivityCounts"),
  }),
  FactoryActivityList: record({ factories: { type: "array", items: ref("FactoryActivity") } }),
};

/** A number for each hour that is shown. */
const hourly = (description: string) => ({
  type: "array",
  description: `${description} One number for each of ${SHOWN_HOURS} hours, oldest first.`,
  items: count,
  minItems: SHOWN_HOURS,
  maxItems: SHOWN_HOURS,
});
const hoursSince = {
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
  RunSummary: record(summary),
  AutomationActivity: record({
    uid: text,
    name: text,
    factory: text,
    factory_uid: text,
    enabled: { type: "boolean" },
    schedules: {
      type: "array",
      description: "The schedules in the automation's file.",
      items: record({
        cron: { ...optionalText, description: "Null if it follows schedules created through the API." },
        name: optionalText,
      }),
    },
    missed: {
      type: "string",
      enum: ["skip", "once"],
      description: "Whether a schedule whose time passed while the server was down is skipped or fires once.",
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
  }),
  AutomationActivityList: record({
    since: hoursSince,
    automations: { type: "array", items: ref("AutomationActivity") },
  }),
  AgentActivity: record({
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
  }),
  AgentActivityList: record({ agents: { type: "array", items: ref("AgentActivity") } }),
} as const;

export const webhookTrafficModels = {
  WebhookActivity: record({
    uid: text,
    name: text,
    factory: text,
    factory_uid: text,
    latest: {
      type: "array",
      description: "The last 20 deliveries, newest first.",
      items: record({
        outcome: { type: "string", enum: [...OUTCOMES] },
        time: instant,
        reason: { type: ["string", "null"], description: "Why the delivery was rejected." },
      }),
    },
    refuses_all: {
      type: "boolean",
      description: "Whether the last 20 deliveries arrived within an hour and all of them were rejected.",
    },
    dropped: {
      type: "object",
      description: "The deliveries of the last 24 hours that were refused with 429 and without a record.",
      additionalProperties: false,
      required: ["over_budget", "blocked"],
      properties: {
        over_budget: { ...count, description: "Deliveries beyond a budget of the webhook." },
        blocked: {
          ...count,
          description: "Deliveries from addresses that had failed to authenticate too often.",
        },
      },
    },
    "last_run?": ref("LastRun"),
    "ended_runs?": ref("EndedRuns"),
    "success_rate?": ref("SuccessRate"),
    "hours?": record({
      accepted: hourly("Accepted deliveries."),
      duplicates: hourly("Duplicates."),
      rejected: hourly("Rejected deliveries."),
    }),
  }),
  WebhookActivityList: record({
    since: hoursSince,
    webhooks: { type: "array", items: ref("WebhookActivity") },
  }),
  WebhookTraffic: record({
    deliveries: { ...count, description: "All entries of the log, including refusals and duplicates." },
    deliveries_7_days: { ...count, description: "The entries of the last seven days." },
    last_delivery_at: { ...optionalInstant, description: "The time of the last entry." },
  }),
} as const;
