import { REPOSITORY_NAME, REPOSITORY_OWNER } from "../../forge/forge.ts";
import { ref } from "../http/operation.ts";
import { harness, harnessAuthSecrets, WORKER_HOST } from "./runs.ts";
import {
  described,
  instant,
  listOf,
  metadata,
  mode,
  optionalInstant,
  optionalText,
  record,
  text,
} from "./shapes.ts";

/** Names are shown in tables and logs, so nothing in them moves a cursor or breaks a line. */
const name = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "^(?!\\s+$)[^\\p{Cc}\\p{Cs}]*$",
  description: "At most 200 characters, no control characters, and not only spaces.",
};

/** Neither an argument of a program nor every database can carry a NUL character. */
const plain = {
  type: "string",
  pattern: "^[^\\u0000]*$",
  description: "Text without NUL characters.",
};
const optionalPlain = { ...plain, type: ["string", "null"] };
const notEmpty = { ...plain, minLength: 1 };

const secrets = { type: "array", items: ref("SecretReference") };
const skills = { type: "array", items: notEmpty };

/** The models of environments, under the names that the public API gives them. */
export const agentModels = {
  Scope: record({ type: { type: "string", enum: ["User", "Team"] }, "uid?": text }),
  SecretReference: record({
    name: {
      type: "string",
      maxLength: 200,
      pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
      description: "The name of a secret.",
    },
  }),
  GitHubRepo: record({
    owner: { type: "string", maxLength: 200, pattern: REPOSITORY_OWNER },
    repo: { type: "string", maxLength: 200, pattern: REPOSITORY_NAME },
  }),
  CloudEnvironmentConfig: record({
    name,
    "description?": optionalPlain,
    "docker_image?": {
      type: "string",
      maxLength: 500,
      pattern: "^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$",
      description: "An image reference, for example registry.example.com/team/image:1.",
    },
    "github_repos?": { type: "array", items: ref("GitHubRepo") },
    "setup_commands?": {
      type: "array",
      items: notEmpty,
      description: "Shell commands that set up the environment, run in this order.",
    },
    "cache_setup?": {
      type: "boolean",
      description:
        "Whether the files that the setup commands make are stored and restored in later workspaces. By default, they are unless the commands have secrets in their environment. true: also with secrets. false: never.",
    },
    "secrets?": secrets,
  }),
  CloudEnvironment: record({
    uid: text,
    config: ref("CloudEnvironmentConfig"),
    created_at: instant,
    last_updated: instant,
    setup_failed: { type: "boolean" },
    creator: ref("RunCreatorInfo"),
    last_editor: ref("RunCreatorInfo"),
    scope: ref("Scope"),
    "missing_secrets?": {
      type: "array",
      items: text,
      description:
        "Secrets that the environment lists but that do not exist; runs start without them. Omitted if there are none.",
    },
  }),
  ListEnvironmentsResponse: listOf("environments", "CloudEnvironment"),
} as const;

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
  AgentResponse: record({
    uid: text,
    name: text,
    description: optionalText,
    available: { type: "boolean" },
    created_at: instant,
    updated_at: instant,
    secrets,
    skills: { type: "array", items: text },
    "prompt?": text,
    "base_model?": text,
    "base_harness?": { ...text, deprecated: true },
    "harness?": harness,
    "harness_auth_secrets?": harnessAuthSecrets,
    "environment_id?": text,
    "mcp_servers?": mcpServers,
    "worker_host?": text,
    "factory_uid?": { type: "string", description: "The factory whose definition contains the agent." },
    agent_type: { type: "string", description: "The agentType from the definition, or CUSTOM." },
    credential_strategy: { type: "string", enum: ["EXECUTOR"] },
    default_runner_uid: {
      type: "string",
      description: "The runner for the agent's runs; empty if none is set.",
    },
    memory: ref("AgentMemory"),
  }),
  AgentMemory: described("Memory stores are not supported. The list is always empty.", {
    attached_stores: { type: "array", items: text, maxItems: 0 },
    auto_memory: record({ enabled: { type: "boolean", enum: [false] } }),
  }),
  ListAgentIdentitiesResponse: listOf("agents", "AgentResponse"),
  ListModelsResponse: record({ models: { type: "array", items: ref("ListedModel") } }),
  ListedModel: record({
    id: { ...text, description: "The name, as `config.model_id` of a request." },
    display_name: { ...text, description: "The same as the id." },
    provider: {
      type: "string",
      enum: MODEL_PROVIDERS,
      description: "The provider that lists the model's price; `UNKNOWN` for other models.",
    },
  }),
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

const cron = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "^\\P{Cc}*$",
  description:
    "A cron expression of five fields, a macro such as @daily, or @every 30m; without control characters.",
};

const timezone = {
  type: "string",
  minLength: 1,
  maxLength: 100,
  description: "The time zone of the cron expression, as the IANA time zone database names it.",
};

/** The models of schedules, under the names that the public API gives them. */
export const scheduleModels = {
  ScheduledAgentItem: record({
    id: { type: "string", format: "uuid" },
    name: text,
    cron_schedule: text,
    timezone,
    prompt: text,
    enabled: { type: "boolean" },
    metadata: {
      type: "object",
      additionalProperties: text,
      description: "Added to the metadata of each of its runs.",
    },
    "agent_config?": ref("AmbientAgentConfig"),
    created_at: instant,
    updated_at: instant,
    created_by: ref("RunCreatorInfo"),
    updated_by: ref("RunCreatorInfo"),
    history: record({ last_ran: optionalInstant, next_run: optionalInstant }),
    last_spawn_error: optionalText,
    scope: ref("Scope"),
    "factory_uid?": text,
    "agent_uid?": text,
  }),
  ListScheduledAgentsResponse: listOf("schedules", "ScheduledAgentItem"),
  CreateScheduledAgentRequest: record({
    name,
    cron_schedule: cron,
    "timezone?": { ...timezone, description: `${timezone.description} Defaults to UTC.` },
    "prompt?": { ...plain, description: "Required unless agent_config.skill_spec is given." },
    "agent_config?": ref("AmbientAgentConfig"),
    "enabled?": { type: "boolean", description: "Defaults to true." },
    "team?": {
      type: "boolean",
      description: "Accepted, but has no effect, because every schedule belongs to the team.",
    },
    "agent_uid?": {
      type: "string",
      description: "The UID of the agent to run, as listed by /agent/identities.",
    },
    "metadata?": metadata,
    "mode?": mode,
  }),
  UpdateScheduledAgentRequest: record({
    name,
    cron_schedule: cron,
    "timezone?": { ...timezone, description: `${timezone.description} Unchanged if omitted.` },
    "prompt?": { ...plain, description: "Required unless agent_config.skill_spec is given." },
    "agent_config?": ref("AmbientAgentConfig"),
    enabled: { type: "boolean" },
    "agent_uid?": {
      type: "string",
      description: "The UID of the agent to run from now on; unchanged if omitted.",
    },
    "metadata?": { ...metadata, description: "Added to the metadata of each run; unchanged if omitted." },
    "mode?": mode,
  }),
  DeleteScheduledAgentResponse: record({ success: { type: "boolean" } }),
} as const;

const strings = (...names: string[]) => ({
  type: "object",
  additionalProperties: false,
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, text])),
});

/** The models of skills, which the public API lists as agents. */
export const skillModels = {
  AgentListResponse: record({ agents: { type: "array", items: ref("AgentSkill") } }),
  AgentSkill: record({ name: text, variants: { type: "array", items: ref("AgentSkillVariant") } }),
  AgentSkillVariant: record({
    id: { type: "string", description: "The value to send as the skill of a run request." },
    base_prompt: { type: "string", description: "The text of the skill." },
    description: text,
    environments: {
      type: "array",
      items: strings("uid", "name"),
      description: "The environments that contain the repository.",
    },
    source: {
      ...strings("owner", "name", "skill_path"),
      description: "The repository; for a skill from a definition, owner is empty and name is the factory.",
    },
    last_run_timestamp: optionalInstant,
    "error?": { type: "string", description: "Why the skill cannot be read." },
  }),
} as const;
