import { ref } from "../http/operation.ts";
import { boundedText } from "../http/shapes.ts";

/** Names, models, references: what is listed, filtered by and kept in indexes. */
const name = { ...boundedText(1_000), minLength: 1 };
const longText = boundedText(16 * 1024);
/** Its size is checked by itself, as that of a prompt is. */
const prompt = { type: "string", "x-text": {} };

export const WORKER_HOST =
  "Where runs execute: the name of a worker or of a pool of workers, or labels:a,b for any worker that has all of these labels. warp, local and millrace mean this server, as does an empty value.";

/** The program of a run. */
export const harness = {
  type: "object",
  additionalProperties: false,
  properties: {
    type: name,
    model_id: name,
    reasoning_level: name,
    auth_secret_name: {
      ...name,
      description: "The secret that holds the harness's API key; the agent must be granted it.",
    },
  },
};

export const harnessAuthSecrets = {
  type: "object",
  additionalProperties: false,
  description: "The secrets that hold API keys of harnesses; only the one for the run's harness is used.",
  properties: { claude_auth_secret_name: longText, codex_auth_secret_name: longText },
};

/** How an agent runs, as requests ask for it and as runs show it. */
export const configModels = {
  MCPServerConfig: {
    type: "object",
    additionalProperties: false,
    description: "Exactly one of warp_id, command and url must be set.",
    oneOf: [{ required: ["warp_id"] }, { required: ["command"] }, { required: ["url"] }],
    properties: {
      warp_id: longText,
      command: longText,
      url: longText,
      args: { type: "array", items: longText },
      env: { type: "object", additionalProperties: longText },
      headers: { type: "object", additionalProperties: longText },
      required: {
        type: "boolean",
        description: "Whether a turn fails if the server does not start. An extension of millrace.",
      },
    },
  },
  AmbientAgentConfig: {
    type: "object",
    additionalProperties: false,
    description: "The configuration of an agent's run. All keys are optional.",
    properties: {
      name,
      model_id: name,
      base_prompt: prompt,
      environment_id: name,
      runner_id: name,
      skill_spec: name,
      skills: { type: "array", items: name, minItems: 1, maxItems: 20 },
      mcp_servers: { type: "object", additionalProperties: ref("MCPServerConfig") },
      computer_use_enabled: { type: "boolean" },
      computer_use_model_id: longText,
      idle_timeout_minutes: { type: "integer", minimum: 0, maximum: 60 },
      worker_host: {
        ...longText,
        description: WORKER_HOST,
      },
      harness,
      harness_auth_secrets: harnessAuthSecrets,
      session_sharing: {
        type: "object",
        additionalProperties: false,
        properties: { public_access: { type: "string", enum: ["VIEWER", "EDITOR"] } },
      },
      memory_stores: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["uid", "access", "instructions"],
          properties: {
            uid: longText,
            access: { type: "string", enum: ["read_write", "read_only"] },
            instructions: longText,
          },
        },
      },
      inference_providers: { type: "object" },
      credential_strategy: { type: ["string", "null"], enum: ["CREATOR", "EXECUTOR", null] },
      secrets: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["name"],
          properties: { name: longText },
        },
      },
      network: {
        description:
          "What the run can reach over the network: none (only the API of this server), all, or hosts in allow. A locked list of the definition or of the server still applies. An extension of millrace.",
        anyOf: [
          { type: "string", enum: ["none", "all"] },
          {
            type: "object",
            additionalProperties: false,
            required: ["allow"],
            properties: {
              allow: { type: "array", maxItems: 200, items: { ...boundedText(300), minLength: 1 } },
              locked: { type: "boolean" },
            },
          },
        ],
      },
      budget: {
        type: "object",
        additionalProperties: false,
        minProperties: 1,
        description:
          "What the run may use, in all turns together. The tightest limit of the request, the agent, the automation and the factory counts. A run that uses more is ended with budget_exceeded.",
        properties: {
          usdPerRun: {
            type: "number",
            exclusiveMinimum: 0,
            maximum: 1_000_000,
            description: "US dollars. The price of the model has to be known.",
          },
          tokensPerRun: {
            type: "integer",
            minimum: 1,
            maximum: 1_000_000_000_000,
            description: "Tokens of input and output. Input that was read from a cache counts as well.",
          },
        },
      },
      experimental: { type: "object" },
    },
  },
} as const;
