import {
  answers,
  body,
  json,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "./operation.ts";

const factory = pathParameter("factory", "The name or the uid of the factory.");
const webhook = pathParameter("uid", "The uid of the webhook.");
const delivery = pathParameter("delivery_id", "The id of the delivery.");

export const factoryPaths: Paths = {
  "/factories": {
    get: {
      operationId: "listFactories",
      summary: "List the factories of this server",
      tags: ["factories"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of factories.", ref("FactoryList")) }),
    },
  },
  "/factories/{factory}": {
    get: {
      operationId: "getFactory",
      summary: "Get a factory: its source, what is in force, and what is wrong",
      tags: ["factories"],
      parameters: [factory],
      responses: answers({ 200: json("The factory.", ref("Factory")) }),
    },
  },
  "/factories/{factory}/sync": {
    post: {
      operationId: "syncFactory",
      summary: "Look at the source now",
      tags: ["factories"],
      parameters: [
        factory,
        queryParameter("wait", "Answer when the source has been looked at.", {
          type: "boolean",
          default: false,
        }),
        queryParameter("allow_deletes", "Whether deletions that the prune guard stops are meant.", {
          type: "boolean",
          default: false,
        }),
        queryParameter(
          "revision",
          "With allow_deletes: the only revision whose deletions are meant, by its hash or at least the first 7 characters of it. Another one that the source has meanwhile is guarded as ever.",
          { type: "string", pattern: "^[0-9a-fA-F]{7,64}$" },
        ),
      ],
      responses: answers({ 200: json("The factory after the pass, or as it is now.", ref("Factory")) }),
    },
  },
  "/factories/{factory}/webhooks": {
    get: {
      operationId: "listWebhooks",
      summary: "List the webhooks of a factory",
      tags: ["webhooks"],
      parameters: [factory, ...pageParameters],
      responses: answers({ 200: json("A page of webhooks.", ref("WebhookList")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}": {
    get: {
      operationId: "getWebhook",
      summary: "Get a webhook, also one that has been deleted",
      tags: ["webhooks"],
      parameters: [factory, webhook],
      responses: answers({ 200: json("The webhook.", ref("Webhook")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}/deliveries": {
    get: {
      operationId: "listDeliveries",
      summary: "List the recent deliveries of a webhook, newest first",
      tags: ["deliveries"],
      parameters: [factory, webhook, ...pageParameters],
      responses: answers({ 200: json("A page of deliveries.", ref("DeliveryList")) }),
    },
    delete: {
      operationId: "deleteDeliveries",
      summary: "Delete the deliveries of a webhook with their payloads, but those whose runs have not ended",
      tags: ["deliveries"],
      parameters: [factory, webhook],
      responses: answers({ 200: json("How many are gone.", ref("DeletedDeliveries")) }),
    },
  },
  "/factories/{factory}/deliveries/{delivery_id}": {
    get: {
      operationId: "getDelivery",
      summary: "Get a delivery, with the payload of an accepted one",
      tags: ["deliveries"],
      parameters: [factory, delivery],
      responses: answers({ 200: json("The delivery.", ref("Delivery")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}/test-deliveries": {
    post: {
      operationId: "sendTestDelivery",
      summary: "Sign a delivery in the webhook's own mode and scheme, and post it to the webhook",
      tags: ["webhooks"],
      parameters: [factory, webhook],
      requestBody: body(ref("TestDeliveryRequest"), false),
      responses: answers({ 200: json("What the webhook has answered.", ref("TestDelivery")) }),
    },
  },
  "/factories/{factory}/deliveries/{delivery_id}/explain": {
    get: {
      operationId: "explainDelivery",
      summary:
        "Why each automation would or would not start a run for a delivery, by the definition in force",
      tags: ["deliveries"],
      parameters: [factory, delivery],
      responses: answers({ 200: json("The explanation.", ref("DeliveryExplanation")) }),
    },
  },
  "/factories/{factory}/deliveries/{delivery_id}/redeliver": {
    post: {
      operationId: "redeliver",
      summary: "Take an accepted delivery in once more, by the definition in force",
      tags: ["deliveries"],
      parameters: [factory, delivery],
      responses: answers({ 200: json("The new delivery.", ref("Delivery")) }),
    },
  },
  "/factories/{factory}/filter-test": {
    post: {
      operationId: "testFilter",
      summary: "Whether a filter would trigger for a stored delivery or a body, and why",
      tags: ["automations"],
      parameters: [factory],
      requestBody: body(ref("FilterTestRequest")),
      responses: answers({ 200: json("The result.", ref("FilterTest")) }),
    },
  },
  "/factories/{factory}/deliveries/{delivery_id}/payload": {
    get: {
      operationId: "getPayload",
      summary: "Get the body of an accepted delivery, byte for byte",
      tags: ["deliveries"],
      parameters: [factory, delivery],
      responses: answers({
        200: { description: "The bytes as they came.", content: { "application/json": { schema: {} } } },
      }),
    },
    delete: {
      operationId: "deletePayload",
      summary: "Delete the payload of a delivery whose runs have ended, and their copies of it",
      tags: ["deliveries"],
      parameters: [factory, delivery],
      responses: answers({ 204: { description: "It is gone." } }),
    },
  },
  "/factories/{factory}/automations": {
    get: {
      operationId: "listAutomations",
      summary: "List the automations of a factory",
      tags: ["automations"],
      parameters: [factory, ...pageParameters],
      responses: answers({ 200: json("A page of automations.", ref("AutomationList")) }),
    },
  },
  "/factories/{factory}/automations/{name}": {
    get: {
      operationId: "getAutomation",
      summary: "Get an automation",
      tags: ["automations"],
      parameters: [factory, pathParameter("name", "The name or the uid of the automation.")],
      responses: answers({ 200: json("The automation.", ref("Automation")) }),
    },
  },
};
