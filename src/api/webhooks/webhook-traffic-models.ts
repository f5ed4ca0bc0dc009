import { OUTCOMES } from "../../ingress/delivery.ts";
import { ref } from "../http/operation.ts";
import { count, instant, optionalInstant, text } from "../http/shapes.ts";
import { hourly, hoursSince } from "../runs/run-summary-models.ts";

export const webhookTrafficModels = {
  WebhookActivity: {
    type: "object",
    additionalProperties: false,
    required: ["uid", "name", "factory", "factory_uid", "latest", "refuses_all", "dropped"],
    properties: {
      uid: text,
      name: text,
      factory: text,
      factory_uid: text,
      latest: {
        type: "array",
        description: "The last 20 deliveries, newest first.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["outcome", "time", "reason"],
          properties: {
            outcome: { type: "string", enum: [...OUTCOMES] },
            time: instant,
            reason: { type: ["string", "null"], description: "Why the delivery was rejected." },
          },
        },
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
      last_run: ref("LastRun"),
      ended_runs: ref("EndedRuns"),
      success_rate: ref("SuccessRate"),
      hours: {
        type: "object",
        additionalProperties: false,
        required: ["accepted", "duplicates", "rejected"],
        properties: {
          accepted: hourly("Accepted deliveries."),
          duplicates: hourly("Duplicates."),
          rejected: hourly("Rejected deliveries."),
        },
      },
    },
  },
  WebhookActivityList: {
    type: "object",
    additionalProperties: false,
    required: ["since", "webhooks"],
    properties: { since: hoursSince, webhooks: { type: "array", items: ref("WebhookActivity") } },
  },
  WebhookTraffic: {
    type: "object",
    additionalProperties: false,
    required: ["deliveries", "deliveries_7_days", "last_delivery_at"],
    properties: {
      deliveries: { ...count, description: "All entries of the log, including refusals and duplicates." },
      deliveries_7_days: { ...count, description: "The entries of the last seven days." },
      last_delivery_at: { ...optionalInstant, description: "The time of the last entry." },
    },
  },
} as const;
