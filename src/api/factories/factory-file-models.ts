import { ref } from "../http/operation.ts";
import { problemOf, text } from "../http/shapes.ts";

const texts = { type: "array", items: text };
const flag = { type: "boolean" };

/** Definitions that somebody sends to be checked may have so many files, of so many bytes, and in all. */
export const SENT_LIMITS = { files: 256, fileBytes: 256 * 1024, bytes: 2 * 1024 * 1024 } as const;

/** The models of the definition format itself. */
export const factoryFileModels = {
  FactoryFileVersions: {
    type: "object",
    additionalProperties: false,
    required: ["current_version", "versions"],
    properties: {
      current_version: text,
      versions: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["schema_version", "schema_url"],
          properties: {
            schema_version: text,
            schema_url: { type: "string", description: "Relative to the root of the server." },
          },
        },
      },
    },
  },
  FactoryFileSchemas: {
    type: "object",
    additionalProperties: false,
    required: ["schema_version", "documents"],
    properties: {
      schema_version: text,
      documents: {
        type: "object",
        additionalProperties: { type: "object", required: ["$schema"], properties: { $schema: text } },
        description: "The schemas (JSON Schema 2020-12), by file name.",
      },
    },
  },
  ValidateFilesRequest: {
    type: "object",
    additionalProperties: false,
    required: ["files"],
    properties: {
      files: { type: "array", maxItems: SENT_LIMITS.files, items: ref("DefinitionFile") },
    },
  },
  FilesValidation: {
    type: "object",
    additionalProperties: false,
    required: [
      "valid",
      "schema_version",
      "diagnostics",
      "deferred_resolutions",
      "state_dependent_checks_not_run",
      "validation_scope",
    ],
    properties: {
      valid: flag,
      schema_version: text,
      diagnostics: { type: "array", items: problemOf(["error", "warning"]) },
      deferred_resolutions: {
        type: "array",
        description: "References that only a server can resolve.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["path", "field", "kind"],
          properties: { path: text, field: text, kind: text },
        },
      },
      state_dependent_checks_not_run: texts,
      validation_scope: {
        type: "object",
        additionalProperties: false,
        required: ["parser", "state_independent", "state_dependent"],
        properties: { parser: flag, state_independent: flag, state_dependent: flag },
      },
    },
  },
} as const;
