import { ref } from "./operation.ts";
import { instant, listOf, optionalInstant, text } from "./shapes.ts";

/** The models of secrets and keys. */
export const adminModels = {
  Secret: {
    type: "object",
    additionalProperties: false,
    required: ["name", "created_at", "updated_at"],
    properties: { name: text, created_at: instant, updated_at: instant },
  },
  SecretList: listOf("secrets", "Secret"),
  SecretValue: {
    type: "object",
    additionalProperties: false,
    required: ["value"],
    properties: { value: { type: "string", minLength: 1 } },
  },
  ApiKey: {
    type: "object",
    additionalProperties: false,
    required: [
      "id",
      "name",
      "kind",
      "role",
      "factories",
      "prefix",
      "principal",
      "created_at",
      "last_used_at",
      "expires_at",
      "revoked_at",
    ],
    properties: {
      id: text,
      name: text,
      kind: { type: "string", enum: ["personal", "agent"] },
      role: { type: "string", enum: ["viewer", "operator", "admin"] },
      factories: { type: ["array", "null"], items: text, description: "Uids; null reaches every factory." },
      prefix: { type: "string", description: "The first characters of the key, to recognise it by." },
      principal: ref("RunCreatorInfo"),
      created_at: instant,
      last_used_at: optionalInstant,
      expires_at: optionalInstant,
      revoked_at: optionalInstant,
    },
  },
  ApiKeyList: listOf("api_keys", "ApiKey"),
  NewApiKey: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1, maxLength: 200 },
      kind: { type: "string", enum: ["personal", "agent"] },
      role: { type: "string", enum: ["viewer", "operator", "admin"] },
      factories: {
        type: ["array", "null"],
        items: text,
        description: "Names or uids; absent or null reaches all.",
      },
      expires_at: instant,
    },
  },
  CreatedApiKey: {
    type: "object",
    additionalProperties: false,
    required: ["id", "key"],
    properties: { id: text, key: { type: "string", description: "The key, shown this once." } },
  },
} as const;
