import { ref } from "../http/operation.ts";
import { text } from "../http/shapes.ts";

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
