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
} from "./operation.ts";

const factory = pathParameter("factory", "The name or the uid of the factory.");
const webhook = pathParameter("uid", "The uid of the webhook.");
const automation = pathParameter("name", "The name or the uid of the automation.");
const file = pathParameter("path", "The path of the file below the root of the definition.");
const gone = { 204: { description: "It is gone." } };

/** What changes a definition that millrace keeps; everywhere else it answers 409 and says which file to change. */
export const managedPaths: Paths = {
  "/factories": {
    post: {
      operationId: "createFactory",
      summary: "Make a factory whose definition millrace keeps",
      tags: ["factories"],
      requestBody: body(ref("NewFactory")),
      responses: answers({ 201: json("The factory.", ref("Factory")) }),
    },
  },
  "/factories/{factory}/webhooks": {
    post: {
      operationId: "createWebhook",
      summary: "Add a webhook; a secret that is made for it is shown this once",
      tags: ["webhooks"],
      parameters: [factory],
      requestBody: body(ref("NewWebhook")),
      responses: answers({ 201: json("The webhook.", ref("CreatedWebhook")) }),
    },
  },
  "/factories/{factory}/suggested-secret-name": {
    get: {
      operationId: "suggestSecretName",
      summary: "The name that the secret of a new webhook would get, where none is given",
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
      responses: answers({ 200: json("The name.", ref("SuggestedSecretName")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}": {
    patch: {
      operationId: "updateWebhook",
      summary: "Enable or disable a webhook, or change its delivery ID header",
      tags: ["webhooks"],
      parameters: [factory, webhook, ifMatch],
      requestBody: body(ref("WebhookChange")),
      responses: answers({ 200: json("The webhook.", ref("Webhook")) }),
    },
    delete: {
      operationId: "deleteWebhook",
      summary: "Delete a webhook: its senders get 404, and automations that select it stop firing for it",
      tags: ["webhooks"],
      parameters: [factory, webhook, ifMatch],
      responses: answers(gone),
    },
  },
  "/factories/{factory}/webhooks/{uid}/rotate-secret": {
    post: {
      operationId: "rotateWebhookSecret",
      summary: "Give a webhook another secret, or its first one; the old one stops working at once",
      tags: ["webhooks"],
      parameters: [factory, webhook],
      requestBody: body(ref("SecretRotation"), false),
      responses: answers({ 200: json("The webhook.", ref("RotatedWebhook")) }),
    },
  },
  "/factories/{factory}/automations/{name}": {
    put: {
      operationId: "putAutomation",
      summary: "Write the file of an automation, a new one or one that is there",
      tags: ["automations"],
      parameters: [factory, automation, ifMatch],
      requestBody: body(ref("AutomationContent")),
      responses: answers({
        200: json("The automation.", ref("Automation")),
        201: json("The new automation.", ref("Automation")),
      }),
    },
    delete: {
      operationId: "deleteAutomation",
      summary: "Delete an automation with its tests",
      tags: ["automations"],
      parameters: [factory, automation, ifMatch],
      responses: answers(gone),
    },
  },
  "/factories/{factory}/files": {
    get: {
      operationId: "listFiles",
      summary: "List the files of the definition in force",
      tags: ["files"],
      parameters: [factory, ...pageParameters],
      responses: answers({ 200: json("A page of files.", ref("FactoryFileList")) }),
    },
    post: {
      operationId: "changeFiles",
      summary: "Write and delete several files of the definition at once, all of them or none",
      tags: ["files"],
      parameters: [factory],
      requestBody: body(ref("FileChanges")),
      responses: answers({ 200: json("What was changed.", ref("ChangedFiles")) }),
    },
  },
  "/factories/{factory}/files/{path}": {
    get: {
      operationId: "getFile",
      summary: "Get a file of the definition in force",
      tags: ["files"],
      parameters: [factory, file],
      responses: answers({ 200: json("The file.", ref("FactoryFileContent")) }),
    },
    put: {
      operationId: "putFile",
      summary: "Write a file of the definition, a new one or one that is there",
      tags: ["files"],
      parameters: [factory, file, ifMatch],
      requestBody: body(ref("FileContent")),
      responses: answers({
        200: json("The file.", ref("FactoryFile")),
        201: json("The new file.", ref("FactoryFile")),
      }),
    },
    delete: {
      operationId: "deleteFile",
      summary: "Delete a file of the definition",
      tags: ["files"],
      parameters: [factory, file, ifMatch],
      responses: answers(gone),
    },
  },
};
