import { OUTCOMES } from "../../ingress/delivery.ts";
import { DISPOSITION_KINDS } from "../../runs/rules/run-key.ts";
import { ref } from "../http/operation.ts";
import { instant, listOf, optionalInstant, optionalText, record, text } from "./shapes.ts";

const verdict = { type: "string", enum: ["Would trigger", "Would not trigger"] };

/** The models of deliveries, and of what can be done with them. */
export const deliveryModels = {
  Delivery: {
    type: "object",
    additionalProperties: false,
    required: [
      "delivery_id",
      "factory",
      "webhook_uid",
      "webhook",
      "webhook_deleted",
      "outcome",
      "size",
      "time",
      "identity",
      "reason",
      "body_differs",
      "duplicate_of",
      "redelivery_of",
      "sender",
      "proved_by",
      "run_ids",
    ],
    properties: {
      delivery_id: text,
      factory: text,
      webhook_uid: text,
      webhook: {
        ...optionalText,
        description: "The name of the webhook, or null if its factory has no active definition.",
      },
      webhook_deleted: { type: "boolean", description: "Whether the webhook has been deleted." },
      outcome: { type: "string", enum: [...OUTCOMES] },
      size: { type: "integer" },
      time: instant,
      identity: {
        type: ["object", "null"],
        additionalProperties: false,
        required: ["source", "value"],
        properties: {
          source: {
            type: "string",
            enum: ["configured_header", "provider", "service_header", "body_hash", "redelivery"],
          },
          value: text,
        },
      },
      reason: {
        type: ["string", "null"],
        description: "Why the delivery was refused, for the owner of the webhook.",
      },
      body_differs: { type: ["boolean", "null"] },
      duplicate_of: optionalText,
      redelivery_of: optionalText,
      event: {
        type: "string",
        description: "The event type in the provider's header, for example `issues`.",
      },
      proved_by: {
        type: ["string", "null"],
        enum: ["current", "previous", null],
        description:
          "Which secret of the webhook authenticated the delivery: previous during the overlap of a rotation. null for rejected deliveries, redeliveries, and deliveries that an earlier version recorded.",
      },
      sender: {
        type: ["object", "null"],
        additionalProperties: false,
        description:
          "Who sent the delivery. Null for redeliveries, and for deliveries recorded by earlier versions.",
        required: ["address", "content_type", "user_agent", "headers"],
        properties: {
          address: { type: "string", description: "The IP address of the sender." },
          content_type: optionalText,
          user_agent: optionalText,
          headers: {
            type: "object",
            description: "The headers in which providers send the event type and the ID of a delivery.",
            additionalProperties: text,
          },
        },
      },
      dispositions: {
        type: "array",
        items: ref("Disposition"),
        description: "Only in the response to a redelivery: what it did, for each automation that it fired.",
      },
      run_ids: { type: "array", items: text },
      payload: { description: "The parsed body; only on a single accepted delivery fetched by its id." },
    },
  },
  DeliveryList: listOf("deliveries", "Delivery"),
  DeletedDeliveries: record({
    deleted: { type: "integer", minimum: 0, description: "The number of deliveries that were deleted." },
    kept: {
      type: "integer",
      minimum: 0,
      description: "The number of deliveries that were not deleted, because their runs have not ended.",
    },
  }),
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
  TestDelivery: record({
    status: { type: "integer", description: "The HTTP status of the webhook's response." },
    delivery_id: optionalText,
    answer: { type: "object", description: "The body of the response." },
  }),
  DeliveryExplanation: record({
    delivery_id: text,
    outcome: { type: "string", enum: [...OUTCOMES] },
    summary: { type: "string", description: "The result of the delivery, in a sentence." },
    automations: {
      type: "array",
      description:
        "All automations of the factory: first those that would start a run, then those that match most of the conditions. Empty for a delivery without a stored body.",
      items: ref("AutomationExplanation"),
    },
  }),
  AutomationExplanation: record({
    name: text,
    enabled: { type: "boolean" },
    paused: {
      type: "boolean",
      description: "Whether a pause applies: the run would be created, and would wait until the pause ends.",
    },
    result: verdict,
    reason: {
      type: ["string", "null"],
      description: "Why the automation would not start a run; null if it would.",
    },
    "skipped?": {
      type: "string",
      description:
        "Only if a run that this delivery created was not started, because a budget with onExhausted: skip was used up: the reason.",
    },
    disposition: {
      description: "What the delivery did when it was accepted; null if it did not fire the automation then.",
      anyOf: [ref("Disposition"), { type: "null" }],
    },
    triggers: {
      type: "array",
      description: "The automation's webhook triggers; a run starts if all checks of any one trigger pass.",
      items: record({ checks: { type: "array", items: ref("FilterCheck") } }),
    },
  }),
  Disposition: record({
    kind: {
      type: "string",
      enum: [...DISPOSITION_KINDS, "waiting"],
      description:
        "started: it created the run. waiting: the run that it created waits for its key or for the end of its window. joined: it became part of a run that waited. replaced: the run that it created replaced others. continued: it became a message to a run.",
    },
    run_id: { type: "string", description: "The run that the delivery is part of." },
    key: { type: ["string", "null"], description: "The concurrency key; null without one." },
    reason: { type: "string", description: "Why, in a sentence." },
    replaced_run_ids: { type: "array", items: text, description: "The runs that were replaced." },
  }),
  FilterCheck: record({
    check: { type: "string", enum: ["webhook", "payload"] },
    passed: { type: "boolean" },
    reason: text,
    field: { type: ["string", "null"], description: "The payload field that was checked." },
  }),
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
  FilterTest: record({ result: verdict, checks: { type: "array", items: ref("FilterCheck") } }),
} as const;

export const previousSecretModels = {
  PreviousSecret: record({
    until: { ...instant, description: "When the webhook stops accepting it." },
    last_used_at: {
      ...optionalInstant,
      description: "When the last delivery arrived that was authenticated with it.",
    },
    senders: {
      type: "array",
      description: "Who used it in the last 500 such deliveries, the last one first. At most 20.",
      items: record({
        address: optionalText,
        user_agent: optionalText,
        deliveries: { type: "integer", minimum: 1 },
        last_delivery_at: instant,
      }),
    },
  }),
} as const;

export const deliveryTestModels = {
  DeliveryTest: record({
    path: { type: "string", description: "The path of the file in the definition." },
    content: {
      type: "string",
      description:
        "The file. It contains the whole payload, and no header except the value of X-GitHub-Event.",
    },
    fires: {
      type: "boolean",
      description: "Whether the delivery starts a run of the automation under the active definition.",
    },
  }),
} as const;
