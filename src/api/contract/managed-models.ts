import { webhookModel } from "./factory-models.ts";
import { ref } from "./operation.ts";
import { boundedText, listOf, text } from "./shapes.ts";

const header = { type: ["string", "null"], minLength: 1, maxLength: 200 };
/** Far above what a definition file may have: the check of the definition says how much that is. */
const content = { type: "string", maxLength: 4_000_000 };
const encoding = { type: "string", enum: ["utf-8", "base64"] };

/** The models of definitions that millrace keeps, and of how they are changed. */
export const managedModels = {
  NewFactory: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: { name: { type: "string", minLength: 1, maxLength: 200 } },
  },
  NewWebhook: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1, "x-text": { maxBytes: 1_000 } },
      auth_mode: {
        type: "string",
        enum: ["token", "url_token", "signature"],
        description: "token, when left out.",
      },
      signature_scheme: {
        type: ["string", "null"],
        description: "For signature: the provider whose scheme is verified.",
      },
      custom_scheme: {
        type: "object",
        description: "For the scheme custom: what stands under millrace.scheme in a webhook file.",
      },
      secret: {
        type: "string",
        minLength: 1,
        description:
          "For signature: the provider's signing secret. Left blank, millrace makes one where the receiver chooses it, and else awaits it.",
      },
      secret_name: {
        ...boundedText(200),
        minLength: 1,
        description:
          "The team secret that holds the credential. One that is there is used and not shown; without a name, one is made up.",
      },
      delivery_id_header: header,
      enabled: { type: "boolean", description: "true, when left out." },
    },
  },
  SuggestedSecretName: {
    type: "object",
    additionalProperties: false,
    required: ["secret_name"],
    properties: { secret_name: text },
  },
  WebhookChange: {
    type: "object",
    additionalProperties: false,
    properties: {
      enabled: { type: "boolean" },
      delivery_id_header: header,
      name: { type: "string", description: "A webhook keeps its name: another one is refused." },
    },
  },
  SecretRotation: {
    type: "object",
    additionalProperties: false,
    properties: {
      secret: {
        type: "string",
        minLength: 1,
        description: "For signature: the provider's new signing secret.",
      },
    },
  },
  CreatedWebhook: {
    ...webhookModel,
    description: "A webhook; the URL of a url_token one holds its token this once.",
    properties: {
      ...webhookModel.properties,
      secret: { type: "string", description: "Shown this once, when millrace made it." },
    },
  },
  RotatedWebhook: {
    ...webhookModel,
    required: [...webhookModel.required, "also_rotated", "not_rotated"],
    description: "A webhook; the URL of a url_token one holds its new token this once.",
    properties: {
      ...webhookModel.properties,
      secret: { type: "string", description: "Shown this once, when millrace made it." },
      also_rotated: {
        type: "array",
        items: text,
        description:
          "The other webhooks that share the secret and go by its new value too: those of the factory by name, those of other factories as FACTORY/WEBHOOK.",
      },
      not_rotated: {
        type: "array",
        description: "Webhooks of other factories that share the secret and still take the old value.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["factory", "webhook", "reason"],
          properties: {
            factory: text,
            webhook: text,
            reason: { type: "string", description: "Why, and with what they take the new one." },
          },
        },
      },
    },
  },
  AutomationContent: {
    type: "object",
    additionalProperties: false,
    required: ["content"],
    properties: { content: { ...content, description: "The whole text of its file." } },
  },
  FactoryFile: {
    type: "object",
    additionalProperties: false,
    required: ["path", "size", "executable", "etag"],
    description: "A file of the definition in force.",
    properties: { path: text, size: { type: "integer" }, executable: { type: "boolean" }, etag: text },
  },
  FactoryFileList: listOf("files", "FactoryFile"),
  FactoryFileContent: {
    type: "object",
    additionalProperties: false,
    required: ["path", "size", "executable", "etag", "encoding", "content"],
    properties: {
      path: text,
      size: { type: "integer" },
      executable: { type: "boolean" },
      etag: text,
      encoding,
      content: text,
    },
  },
  FileChanges: {
    type: "object",
    additionalProperties: false,
    required: ["files"],
    properties: {
      message: { ...boundedText(1_000), minLength: 1, description: "What the commit says." },
      files: { type: "array", minItems: 1, maxItems: 10_000, items: ref("FileChange") },
      allow_deletes: {
        type: "boolean",
        description:
          "Whether deletions of webhooks that the prune guard stops are meant. Left out, they are not.",
      },
    },
  },
  FileChange: {
    type: "object",
    additionalProperties: false,
    required: ["path", "content"],
    properties: {
      path: boundedText(4_000),
      content: { ...content, type: ["string", "null"], description: "Null deletes the file." },
      encoding: { ...encoding, description: "utf-8, when left out." },
      executable: { type: "boolean", description: "Left out, a file stays as it is." },
      etag: { type: "string", description: "Of a file that is there: its ETag, or *." },
    },
  },
  ChangedFiles: {
    type: "object",
    additionalProperties: false,
    required: ["revision", "files"],
    properties: {
      revision: { type: "string", description: "The commit that is in force with the change." },
      files: { type: "array", items: ref("FactoryFile"), description: "Those that were written." },
    },
  },
  FileContent: {
    type: "object",
    additionalProperties: false,
    required: ["content"],
    properties: {
      content,
      encoding: { ...encoding, description: "utf-8, when left out." },
      executable: { type: "boolean", description: "Left out, a file stays as it is." },
    },
  },
} as const;
