import {
  answers,
  body,
  idempotencyKey,
  json,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "../http/operation.ts";

const factory = pathParameter("factory", "The name or UID of the factory.");
const webhook = pathParameter("uid", "The UID of the webhook.");
const delivery = pathParameter("delivery_id", "The id of the delivery.");

export const factoryPaths: Paths = {
  "/factories": {
    get: {
      operationId: "listFactories",
      "x-required-role": "viewer",
      summary: "List the factories of this server",
      tags: ["factories"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of factories.", ref("FactoryList")) }),
    },
  },
  "/factories/{factory}": {
    get: {
      operationId: "getFactory",
      "x-required-role": "viewer",
      summary: "Get a factory: its source, applied revision and problems",
      tags: ["factories"],
      parameters: [factory],
      responses: answers({ 200: json("The factory.", ref("Factory")) }),
    },
  },
  "/factories/{factory}/sync": {
    post: {
      operationId: "syncFactory",
      "x-required-role": "operator",
      summary: "Sync a factory with its source now",
      tags: ["factories"],
      parameters: [
        factory,
        queryParameter("wait", "Whether to respond only after the sync has finished.", {
          type: "boolean",
          default: false,
        }),
        queryParameter("allow_deletes", "Whether to allow deletions that the prune guard would block.", {
          type: "boolean",
          default: false,
        }),
        queryParameter(
          "revision",
          "With allow_deletes: the only revision whose deletions are allowed, given by its hash or at least its first 7 characters. If the source has moved to another revision, the prune guard applies as usual.",
          { type: "string", pattern: "^[0-9a-fA-F]{7,64}$" },
        ),
      ],
      responses: answers({ 200: json("The factory after the sync, or its current state.", ref("Factory")) }),
    },
  },
  "/factories/{factory}/webhooks": {
    get: {
      operationId: "listWebhooks",
      "x-required-role": "viewer",
      summary: "List the webhooks of a factory",
      tags: ["webhooks"],
      parameters: [factory, ...pageParameters],
      responses: answers({ 200: json("A page of webhooks.", ref("WebhookList")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}": {
    get: {
      operationId: "getWebhook",
      "x-required-role": "viewer",
      summary: "Get a webhook, including a deleted one",
      tags: ["webhooks"],
      parameters: [factory, webhook],
      responses: answers({ 200: json("The webhook.", ref("Webhook")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}/deliveries": {
    delete: {
      operationId: "deleteDeliveries",
      "x-required-role": "admin",
      summary: "Delete a webhook's deliveries and payloads, except those with runs that have not ended",
      tags: ["deliveries"],
      parameters: [factory, webhook],
      responses: answers({ 200: json("How many deliveries were deleted.", ref("DeletedDeliveries")) }),
    },
  },
  "/factories/{factory}/deliveries/{delivery_id}": {
    get: {
      operationId: "getDelivery",
      "x-required-role": "viewer",
      summary: "Get a delivery, with its payload if it was accepted",
      tags: ["deliveries"],
      parameters: [factory, delivery],
      responses: answers({ 200: json("The delivery.", ref("Delivery")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}/test-deliveries": {
    post: {
      operationId: "sendTestDelivery",
      "x-required-role": "operator",
      summary: "Send a test delivery, signed in the webhook's own mode and scheme",
      tags: ["webhooks"],
      parameters: [factory, webhook, idempotencyKey],
      requestBody: body(ref("TestDeliveryRequest"), false, ["body", "text"]),
      responses: answers({ 200: json("The webhook's response.", ref("TestDelivery")) }),
    },
  },
  "/factories/{factory}/deliveries/{delivery_id}/explain": {
    get: {
      operationId: "explainDelivery",
      "x-required-role": "viewer",
      summary:
        "Explain for each automation why a delivery would or would not start a run under the active definition",
      tags: ["deliveries"],
      parameters: [factory, delivery],
      responses: answers({ 200: json("The explanation.", ref("DeliveryExplanation")) }),
    },
  },
  "/factories/{factory}/deliveries/{delivery_id}/redeliver": {
    post: {
      operationId: "redeliver",
      "x-required-role": "operator",
      summary: "Redeliver an accepted delivery, using the active definition",
      tags: ["deliveries"],
      parameters: [factory, delivery, idempotencyKey],
      responses: answers({ 200: json("The new delivery.", ref("Delivery")) }),
    },
  },
  "/factories/{factory}/filter-test": {
    post: {
      operationId: "testFilter",
      "x-required-role": "viewer",
      summary: "Test whether a filter matches a stored delivery or a body, and explain the result",
      tags: ["automations"],
      parameters: [factory],
      requestBody: body(ref("FilterTestRequest"), true, ["body", "payload"]),
      responses: answers({ 200: json("The result.", ref("FilterTest")) }),
    },
  },
  "/factories/{factory}/deliveries/{delivery_id}/payload": {
    get: {
      operationId: "getPayload",
      "x-required-role": "viewer",
      summary: "Get the body of an accepted delivery, byte for byte",
      tags: ["deliveries"],
      parameters: [factory, delivery],
      responses: answers({
        200: { description: "The bytes as received.", content: { "application/json": { schema: {} } } },
      }),
    },
    delete: {
      operationId: "deletePayload",
      "x-required-role": "admin",
      summary: "Delete the payload of a delivery whose runs have ended, including the runs' copies",
      tags: ["deliveries"],
      parameters: [factory, delivery],
      responses: answers({ 204: { description: "The payload was deleted." } }),
    },
  },
  "/factories/{factory}/automations": {
    get: {
      operationId: "listAutomations",
      "x-required-role": "viewer",
      summary: "List the automations of a factory",
      tags: ["automations"],
      parameters: [factory, ...pageParameters],
      responses: answers({ 200: json("A page of automations.", ref("AutomationList")) }),
    },
  },
  "/factories/{factory}/automations/{name}": {
    get: {
      operationId: "getAutomation",
      "x-required-role": "viewer",
      summary: "Get an automation",
      tags: ["automations"],
      parameters: [factory, pathParameter("name", "The name or UID of the automation.")],
      responses: answers({ 200: json("The automation.", ref("Automation")) }),
    },
  },
};
