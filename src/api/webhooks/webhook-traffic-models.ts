import { OUTCOMES } from "../../ingress/delivery.ts";
import { answers, json, type Paths, pathParameter, queryParameter, ref } from "../http/operation.ts";
import { instant, optionalInstant, text } from "../http/shapes.ts";

const count = { type: "integer", minimum: 0 };

/** What has come to webhooks, at a glance and in numbers. */
export const webhookTrafficPaths: Paths = {
  "/activity/webhooks": {
    get: {
      operationId: "listWebhookActivity",
      "x-required-role": "viewer",
      summary: "List the outcomes of recent deliveries by webhook",
      tags: ["server"],
      parameters: [
        queryParameter("factory", "Only webhooks of this factory, given by name or UID.", {
          type: "string",
          minLength: 1,
          maxLength: 200,
        }),
      ],
      responses: answers({ 200: json("The active webhooks.", ref("WebhookActivityList")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}/traffic": {
    get: {
      operationId: "getWebhookTraffic",
      "x-required-role": "viewer",
      summary: "Count the deliveries of a webhook in the log",
      tags: ["deliveries"],
      parameters: [
        pathParameter("factory", "The name or UID of the factory."),
        pathParameter("uid", "The UID of the webhook."),
      ],
      responses: answers({ 200: json("The counts.", ref("WebhookTraffic")) }),
    },
  },
};

export const webhookTrafficModels = {
  WebhookActivity: {
    type: "object",
    additionalProperties: false,
    required: ["uid", "name", "factory", "factory_uid", "latest"],
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
    },
  },
  WebhookActivityList: {
    type: "object",
    additionalProperties: false,
    required: ["webhooks"],
    properties: { webhooks: { type: "array", items: ref("WebhookActivity") } },
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
