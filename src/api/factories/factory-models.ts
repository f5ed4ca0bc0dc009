import { SYNC_STATUSES } from "../../reconcile/factory.ts";
import { ref } from "../http/operation.ts";
import {
  instant,
  listOf,
  modeAndSource,
  optionalInstant,
  optionalText,
  problemOf,
  text,
} from "../http/shapes.ts";
import { automationModels } from "./automation-models.ts";
import { budgetModel } from "./budget-model.ts";

export const webhookModel = {
  type: "object",
  additionalProperties: false,
  required: [
    "uid",
    "name",
    "factory",
    "auth_mode",
    "signature_scheme",
    "secret_name",
    "has_newer_secret",
    "previous_secret",
    "delivery_id_header",
    "enabled",
    "status",
    "url",
    "defined_in",
    "dropped",
    "created_at",
    "updated_at",
  ],
  properties: {
    uid: text,
    name: text,
    factory: text,
    auth_mode: { type: "string", enum: ["token", "url_token", "signature"] },
    signature_scheme: optionalText,
    secret_name: text,
    has_newer_secret: {
      type: "boolean",
      description:
        "Whether the secret has changed since the webhook was applied. If true, the webhook still uses the previous value.",
    },
    previous_secret: {
      anyOf: [ref("PreviousSecret"), { type: "null" }],
      description: "The previous secret, while a rotation with an overlap still accepts it.",
    },
    delivery_id_header: optionalText,
    enabled: { type: "boolean" },
    status: { type: "string", enum: ["active", "disabled", "awaiting_secret", "deleted"] },
    url: { type: "string", description: "The ingress URL; for a url_token webhook it ends in {token}." },
    defined_in: ref("DefinedIn"),
    dropped: {
      type: "array",
      description:
        "The deliveries of the last 24 hours that were refused with 429 and without a record: one entry for each hour with such deliveries, oldest first.",
      items: ref("DroppedDeliveries"),
    },
    created_at: instant,
    updated_at: instant,
  },
} as const;

/** The models of factories and of what belongs to them. */
export const factoryModels = {
  Problem: problemOf(["error", "warning", "notice"]),
  Factory: {
    type: "object",
    additionalProperties: false,
    required: ["uid", "name", "mode", "source", "sync"],
    properties: {
      uid: text,
      name: text,
      warning: {
        ...text,
        description:
          "The effects of creating the factory on the rest of the server, as sentences. Only in the response to its creation.",
      },
      ...modeAndSource,
      sync: {
        type: "object",
        additionalProperties: false,
        required: [
          "status",
          "attempted_revision",
          "attempted_at",
          "applied_revision",
          "applied_at",
          "problems",
        ],
        properties: {
          status: { type: "string", enum: [...SYNC_STATUSES] },
          attempted_revision: optionalText,
          attempted_at: optionalInstant,
          applied_revision: optionalText,
          applied_at: optionalInstant,
          problems: { type: "array", items: ref("Problem") },
        },
      },
      budget: { ...ref("Budget"), description: "Only if the factory has one." },
    },
  },
  Budget: budgetModel,
  RestingFactory: {
    type: "object",
    additionalProperties: false,
    required: ["uid", "name", "mode", "source", "webhooks", "waiting_runs"],
    properties: {
      uid: text,
      name: text,
      ...modeAndSource,
      webhooks: {
        type: "integer",
        minimum: 0,
        description: "The number of its webhooks; their URLs return 404.",
      },
      waiting_runs: { type: "integer", minimum: 0, description: "The number of its queued runs." },
    },
  },
  FactoryList: {
    ...listOf("factories", "Factory"),
    properties: {
      ...listOf("factories", "Factory").properties,
      resting: {
        type: "array",
        items: ref("RestingFactory"),
        description:
          "Recorded factories without a configured source; included on every page, omitted if there are none.",
      },
    },
  },
  DroppedDeliveries: {
    type: "object",
    description: "The deliveries of one hour that a webhook refused without a record.",
    additionalProperties: false,
    required: ["hour", "over_budget", "blocked"],
    properties: {
      hour: { ...instant, description: "The start of the hour." },
      over_budget: { type: "integer", description: "The deliveries beyond a budget of the webhook." },
      blocked: {
        type: "integer",
        description: "The deliveries from addresses that had failed to authenticate too often.",
      },
    },
  },
  DefinedIn: {
    type: "object",
    additionalProperties: false,
    required: ["path", "url"],
    properties: { path: text, url: optionalText },
  },
  Webhook: webhookModel,
  WebhookList: listOf("webhooks", "Webhook"),
  ...automationModels,
} as const;
