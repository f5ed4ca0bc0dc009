import { OUTCOMES } from "../../ingress/delivery.ts";
import { ref } from "./operation.ts";
import { optionalText, text } from "./shapes.ts";

const verdict = { type: "string", enum: ["Would trigger", "Would not trigger"] };

/** The models of what can be done with deliveries beyond reading them. */
export const deliveryModels = {
  DeletedDeliveries: {
    type: "object",
    additionalProperties: false,
    required: ["deleted", "kept"],
    properties: {
      deleted: { type: "integer", minimum: 0, description: "How many deliveries are gone." },
      kept: {
        type: "integer",
        minimum: 0,
        description: "How many stay, because runs of theirs have not ended.",
      },
    },
  },
  TestDeliveryRequest: {
    type: "object",
    additionalProperties: false,
    properties: {
      body: { description: "The JSON to send; a small test body when it is left out." },
      text: { type: "string", description: "Or the body as text, which is sent byte for byte." },
      event: {
        type: "string",
        pattern: "^[a-z_]{1,100}$",
        description: "For a webhook of the scheme github: what X-GitHub-Event says.",
      },
    },
    not: { required: ["body", "text"] },
  },
  TestDelivery: {
    type: "object",
    additionalProperties: false,
    required: ["status", "delivery_id", "answer"],
    properties: {
      status: { type: "integer", description: "The HTTP status that the webhook has answered with." },
      delivery_id: optionalText,
      answer: { type: "object", description: "The body of that answer." },
    },
  },
  DeliveryExplanation: {
    type: "object",
    additionalProperties: false,
    required: ["delivery_id", "outcome", "summary", "automations"],
    properties: {
      delivery_id: text,
      outcome: { type: "string", enum: [...OUTCOMES] },
      summary: { type: "string", description: "What became of the delivery, in a sentence." },
      automations: {
        type: "array",
        description: "Every automation of the factory; none for a delivery that has no stored body.",
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
        description: "Its webhook triggers; one whose checks have all passed is enough.",
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
      field: { type: ["string", "null"], description: "The field of the payload." },
    },
  },
  FilterTestRequest: {
    type: "object",
    additionalProperties: false,
    properties: {
      webhook_ids: { type: "array", items: text, description: "Uids of webhooks, as a trigger lists them." },
      payload: { type: "object", description: "A payload filter; without it every delivery matches." },
      delivery_id: { type: "string", description: "An accepted delivery to hold the filter against." },
      body: { description: "Or a JSON value to hold it against." },
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
