import { answers, body, json, type Paths, pathParameter, queryParameter, ref } from "../http/operation.ts";
import { text } from "../http/shapes.ts";

const factory = pathParameter("factory", "The name or UID of the factory.");

export const definitionStatePaths: Paths = {
  "/factories/{factory}/drift": {
    get: {
      operationId: "getDrift",
      "x-required-role": "viewer",
      summary: "Compare the stored state with the applied revision",
      tags: ["factories"],
      parameters: [factory],
      responses: answers({ 200: json("The differences.", ref("Drift")) }),
    },
  },
  "/factories/{factory}/export": {
    get: {
      operationId: "exportFactory",
      "x-required-role": "viewer",
      summary: "Get the definition files of the applied revision, or of another attempted one",
      tags: ["factories"],
      parameters: [
        factory,
        queryParameter(
          "revision",
          "The full hash of an attempted revision; defaults to the applied revision.",
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
      "x-required-role": "admin",
      summary: "Restore a webhook's previous UID after the database was lost",
      tags: ["webhooks"],
      parameters: [factory, pathParameter("uid", "The webhook's current UID.")],
      requestBody: body(ref("WebhookAdoption")),
      responses: answers({ 200: json("The webhook, with its previous URL.", ref("Webhook")) }),
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
        description: "The changes that would make the stored state match the revision.",
        items: ref("RevisionChange"),
      },
      without_credential: {
        type: "array",
        description: "Names of webhooks whose credential is missing from the store.",
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
        description:
          "The previous UID: the 22 letters and digits at the end of the URL that its senders use.",
      },
    },
  },
} as const;
