import { ref } from "../http/operation.ts";
import { instant, listOf, optionalInstant, optionalText, text } from "../http/shapes.ts";

/** The models of secrets, keys and the audit log. */
export const adminModels = {
  Secret: {
    type: "object",
    additionalProperties: false,
    required: ["name", "created_at", "updated_at", "shared", "factories", "of_server", "used_by"],
    properties: {
      name: text,
      created_at: instant,
      updated_at: instant,
      shared: { type: "boolean", description: "Whether every factory may use the secret." },
      factories: {
        type: "array",
        items: text,
        description:
          "Names of the factories that may use the secret, limited to those that the API key can access.",
      },
      of_server: {
        type: "boolean",
        description:
          "Whether the server's own settings use the secret as a credential. Agents never receive it.",
      },
      used_by: {
        type: "array",
        items: ref("SecretUser"),
        description:
          "What uses the secret, limited to what the API key can access. For a factory, the active definition counts.",
      },
    },
  },
  SecretUser: {
    type: "object",
    additionalProperties: false,
    required: ["kind", "name", "factory"],
    properties: {
      kind: {
        type: "string",
        enum: [
          "factory",
          "webhook",
          "automation",
          "agent",
          "runner",
          "notification",
          "outbound",
          "source",
          "environment",
          "settings",
        ],
        description:
          "factory: granted to every run of the factory; source: a credential of the factory's repository; settings: the settings of the server.",
      },
      name: text,
      factory: { ...optionalText, description: "Null for what does not belong to a factory." },
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
        description:
          "The value. If omitted, an existing secret keeps its value, and factories or shared is required.",
      },
      factories: {
        type: "array",
        items: text,
        maxItems: 1_000,
        description:
          "Names or UIDs of the factories that may use the secret. Replaces the previous list. A new secret on a server with several factories requires this field or shared; a secret set with an API key that is limited to one factory belongs to that factory. An empty list restricts the secret to the server itself.",
      },
      shared: {
        type: "boolean",
        description: "Whether every factory may use the secret, including factories added later.",
      },
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
      factories: {
        type: ["array", "null"],
        items: text,
        description: "UIDs of the factories that the key can access; null for every factory.",
      },
      prefix: { type: "string", description: "The first characters of the key, to identify it." },
      principal: ref("RunCreatorInfo"),
      created_at: instant,
      last_used_at: optionalInstant,
      expires_at: optionalInstant,
      revoked_at: optionalInstant,
      from_settings: {
        type: "boolean",
        description:
          "Whether this key comes from the server's MILLRACE_ADMIN_KEY setting. Once revoked, such a key stays revoked; set MILLRACE_ADMIN_KEY to another value to replace it.",
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
        description:
          "Names or UIDs of the factories that the key can access; omitted or null for every factory.",
      },
      expires_at: instant,
    },
  },
  CreatedApiKey: {
    type: "object",
    additionalProperties: false,
    required: ["id", "key"],
    properties: { id: text, key: { type: "string", description: "The key, shown only once." } },
  },
  AuditRecord: {
    type: "object",
    additionalProperties: false,
    required: ["id", "at", "principal", "key_id", "action", "subject", "status", "address"],
    properties: {
      id: { type: "string", format: "uuid" },
      at: instant,
      principal: ref("RunCreatorInfo"),
      key_id: {
        ...optionalText,
        description: "The API key used for the call; null for a call with a run's token.",
      },
      run_id: {
        type: "string",
        description:
          "The run whose token was used for the call. In this case, the principal is the agent that executes the run.",
      },
      factory_uid: {
        type: "string",
        description:
          "The factory that the call names in its path or body, or the factory of the run whose token was used.",
      },
      action: {
        type: "string",
        description:
          "The operationId of the call; `mcp` for a request for tools with the token of a turn that has ended.",
      },
      subject: { type: "string", description: "The path parameters." },
      status: { type: "integer", description: "The HTTP status of the response." },
      trace_id: { type: "string", description: "The trace id of an error response." },
      address: { type: "string", description: "The address of the caller." },
      repeats: {
        type: "integer",
        minimum: 1,
        description:
          "The number of further calls like this one that were refused within the same minute. They have no separate records: at most 60 refused calls per caller and minute are recorded.",
      },
      last_at: { ...instant, description: "When the last of these calls arrived." },
    },
  },
  AuditLog: listOf("audit_log", "AuditRecord"),
} as const;
