import { ref } from "../http/operation.ts";
import { count, instant, text } from "../http/shapes.ts";

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
  ActivityHour: {
    type: "object",
    additionalProperties: false,
    required: ["at", ...Object.keys(ofHour)],
    description: "The activity of one hour, from the given time.",
    properties: { at: instant, ...ofHour },
  },
  Activity: {
    type: "object",
    additionalProperties: false,
    required: ["hours"],
    properties: { hours: { type: "array", items: ref("ActivityHour"), description: "Oldest first." } },
  },
  ActivityCounts: {
    type: "object",
    additionalProperties: false,
    required: Object.keys(counts),
    properties: counts,
  },
  ActivityBucket: {
    type: "object",
    additionalProperties: false,
    required: ["at", ...Object.keys(counts)],
    description: "The activity of a minute, an hour or a day, from the given time.",
    properties: { at: instant, ...counts },
  },
  ActivityHistory: {
    type: "object",
    additionalProperties: false,
    required: ["bucket_seconds", "buckets"],
    properties: {
      bucket_seconds: { type: "integer", minimum: 1, description: "The length of each bucket." },
      buckets: {
        type: "array",
        items: ref("ActivityBucket"),
        description: "Oldest first. The last bucket contains the current time.",
      },
    },
  },
  FactoryActivity: {
    type: "object",
    additionalProperties: false,
    required: [
      "uid",
      "factory",
      "runs_waiting",
      "runs_in_progress",
      "runs_waiting_for_runs",
      "runs_blocked",
      "last_24_hours",
    ],
    properties: {
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
    },
  },
  FactoryActivityList: {
    type: "object",
    additionalProperties: false,
    required: ["factories"],
    properties: { factories: { type: "array", items: ref("FactoryActivity") } },
  },
};
