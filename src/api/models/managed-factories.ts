import { readSchema, SCHEMA_VERSION } from "../../definitions/loading/validate.ts";
import { ref } from "../http/operation.ts";
import { webhookModel } from "./factories.ts";
import { boundedText, described, listOf, record, text } from "./shapes.ts";

const header = { type: ["string", "null"], minLength: 1, maxLength: 200 };
/** Far above what a definition file may have: the check of the definition says how much that is. */
const content = { type: "string", maxLength: 4_000_000 };
const encoding = { type: "string", enum: ["utf-8", "base64"] };

/** What the schema of webhook files says of a scheme, with the names that it has here. */
const {
  header: HeaderName,
  bodyPath: BodyPath,
  scheme: WebhookScheme,
} = JSON.parse(
  readSchema(`${SCHEMA_VERSION}/webhook.schema.json`)
    .replaceAll("#/$defs/header", "#/components/schemas/HeaderName")
    .replaceAll("#/$defs/bodyPath", "#/components/schemas/BodyPath"),
).$defs;

/** The models of definitions that millrace keeps, and of how they are changed. */
export const managedModels = {
  NewFactory: record({ name: { type: "string", minLength: 1, maxLength: 200 } }),
  NewWebhook: record({
    name: { type: "string", minLength: 1, "x-text": { maxBytes: 1_000 } },
    "auth_mode?": {
      type: "string",
      enum: ["token", "url_token", "signature"],
      description: "Defaults to token.",
    },
    "signature_scheme?": {
      type: ["string", "null"],
      description: "The provider whose signing scheme is verified, for the authentication mode signature.",
    },
    "custom_scheme?": {
      ...ref("WebhookScheme"),
      description:
        "The definition of the signature scheme, if the scheme is custom. It has the format of millrace.scheme in a webhook file.",
    },
    "secret?": {
      type: "string",
      minLength: 1,
      description:
        "The provider's signing secret, for the authentication mode signature. If omitted, millrace generates one if the scheme lets the receiver choose the secret; otherwise the webhook waits for it.",
    },
    "secret_name?": {
      ...boundedText(200),
      minLength: 1,
      description:
        "The secret that holds the credential. An existing secret is used and not shown; if omitted, a name is generated.",
    },
    "delivery_id_header?": header,
    "enabled?": { type: "boolean", description: "Defaults to true." },
  }),
  WebhookScheme,
  HeaderName,
  BodyPath,
  SuggestedSecretName: record({ secret_name: text }),
  WebhookChange: record({
    "enabled?": { type: "boolean" },
    "delivery_id_header?": header,
    "name?": {
      type: "string",
      description: "The current name; webhooks cannot be renamed, and any other name is refused.",
    },
  }),
  SecretRotation: record({
    "secret?": {
      type: "string",
      minLength: 1,
      description: "The provider's new signing secret, for the authentication mode signature.",
    },
    "overlap?": {
      type: "string",
      minLength: 1,
      maxLength: 20,
      description:
        "How long the webhook still accepts the previous secret, for example 24h or 7d; at most 30d. Without it, the previous secret stops working immediately.",
    },
  }),
  CreatedWebhook: {
    ...webhookModel,
    description:
      "The created webhook. The URL of a url_token webhook contains its token in this response only.",
    properties: {
      ...webhookModel.properties,
      secret: { type: "string", description: "The secret, shown only once, if millrace generated it." },
    },
  },
  RotatedWebhook: {
    ...webhookModel,
    required: [...(webhookModel.required ?? []), "also_rotated", "not_rotated"],
    description: "The webhook. The URL of a url_token webhook contains its new token in this response only.",
    properties: {
      ...webhookModel.properties,
      secret: { type: "string", description: "The secret, shown only once, if millrace generated it." },
      also_rotated: {
        type: "array",
        items: text,
        description:
          "Other webhooks that share the secret and now also use its new value: those of this factory by name, those of other factories as FACTORY/WEBHOOK.",
      },
      not_rotated: {
        type: "array",
        description: "Webhooks of other factories that share the secret and still accept the old value.",
        items: record({
          factory: text,
          webhook: text,
          reason: {
            type: "string",
            description: "Why the webhook still accepts the old value, and how to apply the new one.",
          },
        }),
      },
    },
  },
  AutomationContent: record({
    content: { ...content, description: "The complete text of the automation's file." },
  }),
  FactoryFile: described("A file of the applied definition.", {
    path: text,
    size: { type: "integer" },
    executable: { type: "boolean" },
    etag: text,
  }),
  FactoryFileList: listOf("files", "FactoryFile"),
  FactoryFileContent: record({
    path: text,
    size: { type: "integer" },
    executable: { type: "boolean" },
    etag: text,
    encoding,
    content: text,
  }),
  FileChanges: record({
    "message?": { ...boundedText(1_000), minLength: 1, description: "The commit message." },
    files: { type: "array", minItems: 1, maxItems: 10_000, items: ref("FileChange") },
    "allow_deletes?": {
      type: "boolean",
      description:
        "Whether to allow deletions of webhooks that the prune guard would block. Defaults to false.",
    },
  }),
  FileChange: record({
    path: boundedText(4_000),
    content: {
      ...content,
      type: ["string", "null"],
      description: "The new content; null deletes the file.",
    },
    "encoding?": { ...encoding, description: "Defaults to utf-8." },
    "executable?": { type: "boolean", description: "Whether the file is executable; unchanged if omitted." },
    "etag?": { type: "string", description: "The ETag of an existing file, or *." },
  }),
  ChangedFiles: record({
    revision: { type: "string", description: "The applied commit that contains the change." },
    files: { type: "array", items: ref("FactoryFile"), description: "The files that were written." },
  }),
  FileContent: record({
    content,
    "encoding?": { ...encoding, description: "Defaults to utf-8." },
    "executable?": { type: "boolean", description: "Whether the file is executable; unchanged if omitted." },
  }),
} as const;
