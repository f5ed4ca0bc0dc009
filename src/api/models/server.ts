import { MAX_AUDIENCE } from "../../runs/rules/run-audience.ts";
import { ref } from "../http/operation.ts";
import { instant, listOf, optionalInstant, optionalText, record, text } from "./shapes.ts";

/** The models of secrets, keys and the audit log. */
export const adminModels = {
  Secret: record({
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
  }),
  SecretUser: record({
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
  }),
  SecretList: listOf("secrets", "Secret"),
  SecretValue: record({
    "value?": {
      type: "string",
      minLength: 1,
      description:
        "The value. If omitted, an existing secret keeps its value, and factories or shared is required.",
    },
    "factories?": {
      type: "array",
      items: text,
      maxItems: 1_000,
      description:
        "Names or UIDs of the factories that may use the secret. Replaces the previous list. A new secret on a server with several factories requires this field or shared; a secret set with an API key that is limited to one factory belongs to that factory. An empty list restricts the secret to the server itself.",
    },
    "shared?": {
      type: "boolean",
      description: "Whether every factory may use the secret, including factories added later.",
    },
  }),
  ApiKey: record({
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
  }),
  ApiKeyList: listOf("api_keys", "ApiKey"),
  NewApiKey: record({
    name: { type: "string", minLength: 1, maxLength: 200 },
    "kind?": { type: "string", enum: ["personal", "agent"] },
    "role?": { type: "string", enum: ["viewer", "operator", "admin"] },
    "factories?": {
      type: ["array", "null"],
      items: text,
      description:
        "Names or UIDs of the factories that the key can access; omitted or null for every factory.",
    },
    "expires_at?": instant,
  }),
  CreatedApiKey: record({ id: text, key: { type: "string", description: "The key, shown only once." } }),
  AuditRecord: record({
    id: { type: "string", format: "uuid" },
    at: instant,
    principal: ref("RunCreatorInfo"),
    key_id: {
      ...optionalText,
      description: "The API key used for the call; null for a call with a run's token.",
    },
    "run_id?": {
      type: "string",
      description:
        "The run whose token was used for the call. In this case, the principal is the agent that executes the run.",
    },
    "factory_uid?": {
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
    "trace_id?": { type: "string", description: "The trace id of an error response." },
    address: { type: "string", description: "The address of the caller." },
    "repeats?": {
      type: "integer",
      minimum: 1,
      description:
        "The number of further calls like this one that were refused within the same minute. They have no separate records: at most 60 refused calls per caller and minute are recorded.",
    },
    "last_at?": { ...instant, description: "When the last of these calls arrived." },
  }),
  AuditLog: listOf("audit_log", "AuditRecord"),
} as const;

/** The models of what a server tells of itself: who calls it, what it is set to, and what it has been doing. */
export const serverModels = {
  Whoami: record({
    principal: ref("RunCreatorInfo"),
    key_id: text,
    key_name: text,
    kind: { type: "string", enum: ["personal", "agent"] },
    role: { type: "string", enum: ["viewer", "operator", "admin"] },
    factories: {
      type: ["array", "null"],
      items: text,
      description: "UIDs of the factories that the key can access; null for every factory.",
    },
    expires_at: { ...optionalInstant, description: "When the key expires." },
    server_version: { type: "string", description: "The version of the server." },
    public_url: { type: "string", description: "The URL at which people and clients reach this server." },
    webhook_url: {
      type: "string",
      description: "The URL at which senders reach the ingress of this server.",
    },
    server_notices: {
      type: "array",
      items: text,
      description:
        "What the operator should complete, for example a harness for active agents that have none; empty if nothing is missing.",
    },
  }),
  Setting: record({
    name: text,
    value: {
      ...optionalText,
      description:
        "The value. For a secret, it shows only that the secret is set. Null if the setting is not set.",
    },
    is_default: { type: "boolean" },
    env: { type: "string", description: "The environment variable for this setting." },
    flag: { ...optionalText, description: "The flag of `millrace serve` for this setting." },
    help: text,
  }),
  SettingList: record({ settings: { type: "array", items: ref("Setting") } }),
  Server: record({
    uid: { ...text, description: "The UID of the server's data folder. It is the same after a restart." },
    name: { ...text, description: "The host name of the machine." },
    version: text,
    status: {
      type: "string",
      enum: ["connected", "away"],
      description:
        "away: the server has not been seen for 15 seconds. It is removed from the list after a day, and a server that is stopped is removed immediately.",
    },
    is_leader: {
      type: "boolean",
      description: "Whether the server polls repositories, fires schedules and deletes old data.",
    },
    is_this: { type: "boolean", description: "Whether it is the server that responds." },
    executing: {
      type: "integer",
      minimum: 0,
      description: "How many runs the server executes itself. Runs on workers are not included.",
    },
    concurrency: {
      type: "integer",
      minimum: 0,
      description: "The maximum number of these runs. It is 0 if only workers execute runs.",
    },
    started_at: instant,
    last_seen_at: instant,
  }),
  ServerList: listOf("servers", "Server"),
  Runner: record({
    uid: text,
    name: text,
    description: optionalText,
    docker_image: optionalText,
    setup_commands: { type: "array", items: text },
    instance_shape: {
      type: ["object", "null"],
      additionalProperties: false,
      required: ["vcpus", "memory_gb"],
      properties: { vcpus: { type: "number" }, memory_gb: { type: "number" } },
    },
    defined_in: ref("DefinedIn"),
    updated_at: instant,
  }),
  RunnerList: listOf("runners", "Runner"),
} as const;

/** What is said of the tokens with which runs prove who they are. */
export const oidcModels = {
  IdentityTokenRequest: record({
    audience: {
      type: "string",
      minLength: 1,
      maxLength: MAX_AUDIENCE,
      pattern: "^[ -~]*$",
      description:
        "Who the token is for, as the service expects it in the claim aud, for example sts.amazonaws.com: at most 200 printable ASCII characters.",
    },
  }),
  IdentityToken: record({
    token: { ...text, description: "A JSON Web Token, which is not stored." },
    expires_at: instant,
  }),
  IdentityKeyChange: record({
    "revoke?": {
      type: "boolean",
      description:
        "Whether all previous keys are removed immediately, so that no service accepts tokens that they have signed after it has read the keys again.",
    },
  }),
  IdentityKey: record({ key_id: { ...text, description: "The kid of the tokens that the key signs." } }),
} as const;
