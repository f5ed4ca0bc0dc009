import { OUTCOMES } from "../../ingress/delivery.ts";
import { answers, json, type Paths, pathParameter, queryParameter, ref } from "./operation.ts";
import { instant, optionalInstant, text } from "./shapes.ts";

const count = { type: "integer", minimum: 0 };

/** What has come to webhooks, at a glance and in numbers. */
export const webhookTrafficPaths: Paths = {
  "/activity/webhooks": {
    get: {
      operationId: "listWebhookActivity",
      summary: "How the last deliveries of every webhook ended",
      tags: ["server"],
      parameters: [
        queryParameter("factory", "Only webhooks of this factory, by its name or uid.", {
          type: "string",
          minLength: 1,
          maxLength: 200,
        }),
      ],
      responses: answers({ 200: json("The webhooks that are in force.", ref("WebhookActivityList")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}/traffic": {
    get: {
      operationId: "getWebhookTraffic",
      summary: "How many deliveries of a webhook the log holds",
      tags: ["deliveries"],
      parameters: [
        pathParameter("factory", "The name or the uid of the factory."),
        pathParameter("uid", "The uid of the webhook."),
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
        description: "The last 20 deliveries, the newest first.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["outcome", "time"],
          properties: { outcome: { type: "string", enum: [...OUTCOMES] }, time: instant },
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
      deliveries: { ...count, description: "Every entry of the log, refusals and duplicates too." },
      deliveries_7_days: { ...count, description: "Those of the last seven days." },
      last_delivery_at: { ...optionalInstant, description: "When the last of them came." },
    },
  },
} as const;
