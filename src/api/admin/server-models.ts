import { ref } from "../http/operation.ts";
import { instant, listOf, optionalInstant, optionalText, text } from "../http/shapes.ts";

/** The models of what a server tells of itself: who calls it, what it is set to, and what it has been doing. */
export const serverModels = {
  Whoami: {
    type: "object",
    additionalProperties: false,
    required: [
      "principal",
      "key_id",
      "key_name",
      "kind",
      "role",
      "factories",
      "expires_at",
      "server_version",
      "public_url",
      "webhook_url",
      "server_notices",
    ],
    properties: {
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
          "Settings that the operator should complete, for example an agent command; empty if nothing is missing.",
      },
    },
  },
  Setting: {
    type: "object",
    additionalProperties: false,
    required: ["name", "value", "is_default", "env", "flag", "help"],
    properties: {
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
    },
  },
  SettingList: {
    type: "object",
    additionalProperties: false,
    required: ["settings"],
    properties: { settings: { type: "array", items: ref("Setting") } },
  },
  Runner: {
    type: "object",
    additionalProperties: false,
    required: [
      "uid",
      "name",
      "description",
      "docker_image",
      "setup_commands",
      "instance_shape",
      "defined_in",
      "updated_at",
    ],
    properties: {
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
    },
  },
  RunnerList: listOf("runners", "Runner"),
} as const;
