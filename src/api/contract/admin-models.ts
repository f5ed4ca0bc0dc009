import { ref } from "./operation.ts";
import { instant, listOf, optionalInstant, optionalText, text } from "./shapes.ts";

/** The models of secrets, keys and the audit log. */
export const adminModels = {
  Secret: {
    type: "object",
    additionalProperties: false,
    required: ["name", "created_at", "updated_at", "shared", "factories", "of_server"],
    properties: {
      name: text,
      created_at: instant,
      updated_at: instant,
      shared: { type: "boolean", description: "Whether every factory may use it." },
      factories: {
        type: "array",
        items: text,
        description: "Names of the factories that may use it, as far as the key reaches them.",
      },
      of_server: {
        type: "boolean",
        description: "Whether the settings of the server use it as a credential: no agent gets it.",
      },
    },
  },
  SecretList: listOf("secrets", "Secret"),
  SecretValue: {
    type: "object",
    additionalProperties: false,
    properties: {
      value: {
        type: "string",
        minLength: 1,
        description: "Left out, a secret that is there keeps its value: then factories or shared is needed.",
      },
      factories: {
        type: "array",
        items: text,
        maxItems: 1_000,
        description:
          "Names or uids of the factories that may use it, in the place of those before. Needed, or shared, for a new secret on a server with several factories; what a key for one factory sets is that factory's. An empty list leaves it to the server alone.",
      },
      shared: { type: "boolean", description: "Whether every factory may use it, those to come included." },
    },
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
      "from_settings",
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
      from_settings: {
        type: "boolean",
        description:
          "Whether MILLRACE_ADMIN_KEY of the server is this key. Revoked, it stays so: the setting has to be given another value.",
      },
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
  AuditRecord: {
    type: "object",
    additionalProperties: false,
    required: ["id", "at", "principal", "key_id", "action", "subject", "status", "address"],
    properties: {
      id: { type: "string", format: "uuid" },
      at: instant,
      principal: ref("RunCreatorInfo"),
      key_id: { ...optionalText, description: "Null for a call with the token of a run." },
      run_id: { type: "string", description: "The run whose token was used; the principal has created it." },
      action: { type: "string", description: "The operationId of the call." },
      subject: { type: "string", description: "The parameters of the path." },
      status: { type: "integer", description: "The HTTP status of the answer." },
      trace_id: { type: "string", description: "Of an answer that refuses." },
      address: { type: "string", description: "Where the call came from." },
    },
  },
  AuditLog: listOf("audit_log", "AuditRecord"),
} as const;
