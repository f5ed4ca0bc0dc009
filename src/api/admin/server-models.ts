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
          "What the operator should complete, for example a harness for active agents that have none; empty if nothing is missing.",
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
  Server: {
    type: "object",
    additionalProperties: false,
    required: [
      "uid",
      "name",
      "version",
      "status",
      "is_leader",
      "is_this",
      "executing",
      "concurrency",
      "started_at",
      "last_seen_at",
    ],
    properties: {
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
    },
  },
  ServerList: listOf("servers", "Server"),
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
