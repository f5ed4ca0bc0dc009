import { OUTCOMES } from "../../ingress/delivery.ts";
import { ref } from "../http/operation.ts";
import { optionalText, text } from "../http/shapes.ts";

const verdict = { type: "string", enum: ["Would trigger", "Would not trigger"] };

/** The models of what can be done with deliveries beyond reading them. */
export const deliveryModels = {
  DeletedDeliveries: {
    type: "object",
    additionalProperties: false,
    required: ["deleted", "kept"],
    properties: {
      deleted: { type: "integer", minimum: 0, description: "The number of deliveries that were deleted." },
      kept: {
        type: "integer",
        minimum: 0,
        description: "The number of deliveries that were not deleted, because their runs have not ended.",
      },
    },
  },
  TestDeliveryRequest: {
    type: "object",
    additionalProperties: false,
    properties: {
      body: { description: "The JSON to send; defaults to a small test body." },
      text: { type: "string", description: "The body as text, in place of body; sent byte for byte." },
      event: {
        type: "string",
        pattern: "^[a-z_]{1,100}$",
        description: "The value of X-GitHub-Event, for a webhook with the scheme github.",
      },
    },
    not: { required: ["body", "text"] },
  },
  TestDelivery: {
    type: "object",
    additionalProperties: false,
    required: ["status", "delivery_id", "answer"],
    properties: {
      status: { type: "integer", description: "The HTTP status of the webhook's response." },
      delivery_id: optionalText,
      answer: { type: "object", description: "The body of the response." },
    },
  },
  DeliveryExplanation: {
    type: "object",
    additionalProperties: false,
    required: ["delivery_id", "outcome", "summary", "automations"],
    properties: {
      delivery_id: text,
      outcome: { type: "string", enum: [...OUTCOMES] },
      summary: { type: "string", description: "The result of the delivery, in a sentence." },
      automations: {
        type: "array",
        description: "All automations of the factory; empty for a delivery without a stored body.",
        items: ref("AutomationExplanation"),
      },
    },
  },
  AutomationExplanation: {
    type: "object",
    additionalProperties: false,
    required: ["name", "enabled", "result", "triggers"],
    properties: {
      name: text,
      enabled: { type: "boolean" },
      result: verdict,
      triggers: {
        type: "array",
        description: "The automation's webhook triggers; a run starts if all checks of any one trigger pass.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["checks"],
          properties: { checks: { type: "array", items: ref("FilterCheck") } },
        },
      },
    },
  },
  FilterCheck: {
    type: "object",
    additionalProperties: false,
    required: ["check", "passed", "reason", "field"],
    properties: {
      check: { type: "string", enum: ["webhook", "payload"] },
      passed: { type: "boolean" },
      reason: text,
      field: { type: ["string", "null"], description: "The payload field that was checked." },
    },
  },
  FilterTestRequest: {
    type: "object",
    additionalProperties: false,
    properties: {
      webhook_ids: {
        type: "array",
        items: text,
        description: "The UIDs of the webhooks, in the same form as in a trigger.",
      },
      payload: { type: "object", description: "A payload filter; if omitted, every delivery matches." },
      delivery_id: { type: "string", description: "An accepted delivery to test the filter against." },
      body: { description: "A JSON value to test the filter against, in place of delivery_id." },
    },
    oneOf: [{ required: ["delivery_id"] }, { required: ["body"] }],
  },
  FilterTest: {
    type: "object",
    additionalProperties: false,
    required: ["result", "checks"],
    properties: { result: verdict, checks: { type: "array", items: ref("FilterCheck") } },
  },
} as const;
