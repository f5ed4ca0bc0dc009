import { ref } from "../http/operation.ts";
import { instant, listOf, optionalText, text } from "../http/shapes.ts";
import { harness, harnessAuthSecrets, WORKER_HOST } from "../runs/config-models.ts";
import { name, notEmpty, optionalPlain, secrets, skills } from "./agent-shapes.ts";

const mcpServers = { type: "object", additionalProperties: ref("MCPServerConfig") };

/** How the runs of an agent execute, as its requests say it. */
const defaults = {
  prompt: { ...optionalPlain, description: "Instructions placed at the start of each run's prompt." },
  base_model: { ...optionalPlain, description: "The model for runs that do not specify one." },
  base_harness: { ...optionalPlain, deprecated: true, description: "Same as harness.type." },
  harness: { ...harness, type: ["object", "null"], description: "The harness that runs the agent." },
  harness_auth_secrets: { ...harnessAuthSecrets, type: ["object", "null"] },
  environment_id: { ...optionalPlain, description: "The environment for runs that do not specify one." },
  mcp_servers: { ...mcpServers, type: ["object", "null"] },
  worker_host: { ...optionalPlain, description: WORKER_HOST },
};

/** Members of the public API that this server takes when they ask for what it does anyway, and refuses by name otherwise. */
const asTheyAre = {
  agent_type: optionalText,
  credential_strategy: { type: ["string", "null"], enum: ["CREATOR", "EXECUTOR", null] },
  default_runner_uid: optionalText,
  factory_uid: optionalText,
  inference_providers: { type: ["object", "null"] },
  memory: {
    type: ["object", "null"],
    properties: {
      attached_stores: { type: ["array", "null"] },
      auto_memory: { type: ["object", "null"], properties: { enabled: { type: ["boolean", "null"] } } },
    },
  },
  on_behalf_of_enabled: { type: ["boolean", "null"] },
};

/** Providers of models, in the words of the public API. */
export const MODEL_PROVIDERS = ["OPENAI", "ANTHROPIC", "GOOGLE", "UNKNOWN"] as const;

/** The models of agents that runs act as, under the names that the public API gives them. */
export const identityModels = {
  AgentResponse: {
    type: "object",
    additionalProperties: false,
    required: [
      "uid",
      "name",
      "description",
      "available",
      "created_at",
      "updated_at",
      "secrets",
      "skills",
      "agent_type",
      "credential_strategy",
      "default_runner_uid",
      "memory",
    ],
    properties: {
      uid: text,
      name: text,
      description: optionalText,
      available: { type: "boolean" },
      created_at: instant,
      updated_at: instant,
      secrets,
      skills: { type: "array", items: text },
      prompt: text,
      base_model: text,
      base_harness: { ...text, deprecated: true },
      harness,
      harness_auth_secrets: harnessAuthSecrets,
      environment_id: text,
      mcp_servers: mcpServers,
      worker_host: text,
      factory_uid: { type: "string", description: "The factory whose definition contains the agent." },
      agent_type: { type: "string", description: "The agentType from the definition, or CUSTOM." },
      credential_strategy: { type: "string", enum: ["EXECUTOR"] },
      default_runner_uid: {
        type: "string",
        description: "The runner for the agent's runs; empty if none is set.",
      },
      memory: ref("AgentMemory"),
    },
  },
  AgentMemory: {
    type: "object",
    additionalProperties: false,
    required: ["attached_stores", "auto_memory"],
    description: "Memory stores are not supported. The list is always empty.",
    properties: {
      attached_stores: { type: "array", items: text, maxItems: 0 },
      auto_memory: {
        type: "object",
        additionalProperties: false,
        required: ["enabled"],
        properties: { enabled: { type: "boolean", enum: [false] } },
      },
    },
  },
  ListAgentIdentitiesResponse: listOf("agents", "AgentResponse"),
  ListModelsResponse: {
    type: "object",
    additionalProperties: false,
    required: ["models"],
    properties: { models: { type: "array", items: ref("ListedModel") } },
  },
  ListedModel: {
    type: "object",
    additionalProperties: false,
    required: ["id", "display_name", "provider"],
    properties: {
      id: { ...text, description: "The name, as `config.model_id` of a request." },
      display_name: { ...text, description: "The same as the id." },
      provider: {
        type: "string",
        enum: MODEL_PROVIDERS,
        description: "The provider that lists the model's price; `UNKNOWN` for other models.",
      },
    },
  },
  CreateAgentRequest: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: { name, description: optionalPlain, secrets, skills, ...defaults, ...asTheyAre },
  },
  UpdateAgentRequest: {
    type: "object",
    additionalProperties: false,
    description: "Fields that are omitted or null stay unchanged; an empty value clears a field.",
    properties: {
      name: { ...name, type: ["string", "null"] },
      description: optionalPlain,
      secrets: { ...secrets, type: ["array", "null"] },
      skills: { type: ["array", "null"], items: notEmpty },
      ...defaults,
      ...asTheyAre,
    },
  },
} as const;
