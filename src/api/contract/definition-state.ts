import { answers, body, json, type Paths, pathParameter, queryParameter, ref } from "./operation.ts";
import { text } from "./shapes.ts";

const factory = pathParameter("factory", "The name or the uid of the factory.");

export const definitionStatePaths: Paths = {
  "/factories/{factory}/drift": {
    get: {
      operationId: "getDrift",
      summary: "How what is stored differs from the revision in force, which is read anew",
      tags: ["factories"],
      parameters: [factory],
      responses: answers({ 200: json("The differences.", ref("Drift")) }),
    },
  },
  "/factories/{factory}/export": {
    get: {
      operationId: "exportFactory",
      summary: "Get the files of the revision in force, or of another that was tried",
      tags: ["factories"],
      parameters: [
        factory,
        queryParameter(
          "revision",
          "The full hash of a revision that was tried; the one in force without it.",
          {
            type: "string",
            pattern: "^[0-9a-f]{7,64}$",
            description: "A hash.",
          },
        ),
      ],
      responses: answers({ 200: json("The files, byte for byte.", ref("FactoryExport")) }),
    },
  },
  "/factories/{factory}/webhooks/{uid}/adopt": {
    post: {
      operationId: "adoptWebhook",
      summary: "Give a webhook the uid back that it had in a store which is lost",
      tags: ["webhooks"],
      parameters: [factory, pathParameter("uid", "The uid that the webhook has now.")],
      requestBody: body(ref("WebhookAdoption")),
      responses: answers({ 200: json("The webhook with its old URL.", ref("Webhook")) }),
    },
  },
};

export const definitionStateModels = {
  Drift: {
    type: "object",
    additionalProperties: false,
    required: ["revision", "in_sync", "changes", "without_credential"],
    properties: {
      revision: text,
      in_sync: { type: "boolean" },
      changes: {
        type: "array",
        description: "What would have to change for the store to be as the revision is.",
        items: ref("RevisionChange"),
      },
      without_credential: {
        type: "array",
        description: "Names of webhooks whose credential is not in the store.",
        items: text,
      },
    },
  },
  FactoryExport: {
    type: "object",
    additionalProperties: false,
    required: ["revision", "files"],
    properties: { revision: text, files: { type: "array", items: ref("ExportedFile") } },
  },
  ExportedFile: {
    type: "object",
    additionalProperties: false,
    required: ["path", "encoding", "content"],
    properties: { path: text, encoding: { type: "string", enum: ["utf-8", "base64"] }, content: text },
  },
  WebhookAdoption: {
    type: "object",
    additionalProperties: false,
    required: ["uid"],
    properties: {
      uid: {
        type: "string",
        pattern: "^[A-Za-z0-9]{22}$",
        description: "The 22 letters and digits at the end of the URL that its senders have.",
      },
    },
  },
} as const;
