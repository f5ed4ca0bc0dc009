import {
  answers,
  body,
  ifMatch,
  json,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
  secretIdempotencyKey,
} from "../http/operation.ts";

const factory = pathParameter("factory", "The name or UID of the factory.");
const webhook = pathParameter("uid", "The UID of the webhook.");
const automation = pathParameter("name", "The name or UID of the automation.");
const file = pathParameter("path", "The path of the file, relative to the root of the definition.");
const gone = { 204: { description: "The resource was deleted." } };

/** What changes a definition that millrace keeps; everywhere else it answers 409 and says which file to change. */
export const managedPaths: Paths = {
  "/factories": {
    post: {
      operationId: "createFactory",
      "x-required-role": "admin",
      summary: "Create a managed factory, whose definition millrace stores",
      tags: ["factories"],
      requestBody: body(ref("NewFactory")),
      responses: answers({ 201: json("The factory.", ref("Factory")) }),
    },
  },
  "/factories/{factory}/webhooks": {
    post: {
      operationId: "createWebhook",
      "x-required-role": "admin",
      summary: "Create a webhook; a generated secret is shown only once",
      tags: ["webhooks"],
      parameters: [factory, secretIdempotencyKey],
      requestBody: body(ref("NewWebhook")),
      responses: answers({ 201: json("The webhook.", ref("CreatedWebhook")) }),
    },
  },
  "/factories/{factory}/suggested-secret-name": {
    get: {
      operationId: "suggestSecretName",
      "x-required-role": "admin",
      summary: "Suggest a name for the secret of a new webhook",
      tags: ["webhooks"],
      parameters: [
        factory,
        {
          ...queryParameter("webhook", "The name of the webhook.", {
            type: "string",
            minLength: 1,
            maxLength: 200,
          }),
          required: true,
        },
      ],
      responses: answers({ 200: json("The suggested name.", ref("SuggestedSecretName")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}": {
    patch: {
      operationId: "updateWebhook",
      "x-required-role": "admin",
      summary: "Enable or disable a webhook, or change its delivery ID header",
      tags: ["webhooks"],
      parameters: [factory, webhook, ifMatch],
      requestBody: body(ref("WebhookChange")),
      responses: answers({ 200: json("The webhook.", ref("Webhook")) }),
    },
    delete: {
      operationId: "deleteWebhook",
      "x-required-role": "admin",
      summary: "Delete a webhook: its senders get 404, and automations that select it no longer fire for it",
      tags: ["webhooks"],
      parameters: [factory, webhook, ifMatch],
      responses: answers(gone),
    },
  },
  "/factories/{factory}/webhooks/{uid}/rotate-secret": {
    post: {
      operationId: "rotateWebhookSecret",
      "x-required-role": "admin",
      summary:
        "Set or rotate a webhook's secret; without an overlap, the old secret stops working immediately",
      tags: ["webhooks"],
      parameters: [factory, webhook, secretIdempotencyKey],
      requestBody: body(ref("SecretRotation"), false),
      responses: answers({ 200: json("The webhook.", ref("RotatedWebhook")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}/end-overlap": {
    post: {
      operationId: "endSecretOverlap",
      "x-required-role": "admin",
      summary: "Stop accepting the previous secret of a webhook",
      tags: ["webhooks"],
      parameters: [factory, webhook],
      responses: answers({ 200: json("The webhook.", ref("Webhook")) }),
    },
  },
  "/factories/{factory}/automations/{name}": {
    put: {
      operationId: "putAutomation",
      "x-required-role": "admin",
      summary: "Create or replace an automation's file",
      tags: ["automations"],
      parameters: [factory, automation, ifMatch],
      requestBody: body(ref("AutomationContent"), true, ["content"]),
      responses: answers({
        200: json("The automation.", ref("Automation")),
        201: json("The new automation.", ref("Automation")),
      }),
    },
    delete: {
      operationId: "deleteAutomation",
      "x-required-role": "admin",
      summary: "Delete an automation and its tests",
      tags: ["automations"],
      parameters: [factory, automation, ifMatch],
      responses: answers(gone),
    },
  },
  "/factories/{factory}/files": {
    get: {
      operationId: "listFiles",
      "x-required-role": "viewer",
      summary: "List the files of the applied definition",
      tags: ["files"],
      parameters: [factory, ...pageParameters],
      responses: answers({ 200: json("A page of files.", ref("FactoryFileList")) }),
    },
    post: {
      operationId: "changeFiles",
      "x-required-role": "admin",
      summary: "Write and delete several files of the definition in one atomic change",
      tags: ["files"],
      parameters: [factory],
      requestBody: body(ref("FileChanges"), true, ["files.content"]),
      responses: answers({ 200: json("The applied change.", ref("ChangedFiles")) }),
    },
  },
  "/factories/{factory}/files/{path}": {
    get: {
      operationId: "getFile",
      "x-required-role": "viewer",
      summary: "Get a file of the applied definition",
      tags: ["files"],
      parameters: [factory, file],
      responses: answers({ 200: json("The file.", ref("FactoryFileContent")) }),
    },
    put: {
      operationId: "putFile",
      "x-required-role": "admin",
      summary: "Create or replace a file of the definition",
      tags: ["files"],
      parameters: [factory, file, ifMatch],
      requestBody: body(ref("FileContent"), true, ["content"]),
      responses: answers({
        200: json("The file.", ref("FactoryFile")),
        201: json("The new file.", ref("FactoryFile")),
      }),
    },
    delete: {
      operationId: "deleteFile",
      "x-required-role": "admin",
      summary: "Delete a file of the definition",
      tags: ["files"],
      parameters: [factory, file, ifMatch],
      responses: answers(gone),
    },
  },
};
