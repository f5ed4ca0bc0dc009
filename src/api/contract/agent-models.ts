import { ref } from "./operation.ts";
import { instant, listOf, optionalInstant, optionalText, text } from "./shapes.ts";

/** Names are shown in tables and logs, so nothing in them moves a cursor or breaks a line. */
const name = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "^(?!\\s+$)[^\\p{Cc}\\p{Cs}]*$",
  description: "At most 200 characters, not only spaces, and no control characters.",
};

const cron = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  pattern: "^\\P{Cc}*$",
  description: "Five fields in UTC, a macro such as @daily, or @every 30m; without control characters.",
};

/** Neither an argument of a program nor every database can carry a NUL character. */
const plain = { type: "string", pattern: "^[^\\u0000]*$", description: "A text without NUL characters." };
const optionalPlain = { ...plain, type: ["string", "null"] };
const notEmpty = { ...plain, minLength: 1 };

const secrets = { type: "array", items: ref("SecretReference") };
const skills = { type: "array", items: notEmpty };

/** The models of environments, identities and schedules, under the names that the public API gives them. */
export const agentModels = {
  Scope: {
    type: "object",
    additionalProperties: false,
    required: ["type"],
    properties: { type: { type: "string", enum: ["User", "Team"] }, uid: text },
  },
  SecretReference: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      name: {
        type: "string",
        maxLength: 200,
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        description: "The name of a managed secret.",
      },
    },
  },
  GitHubRepo: {
    type: "object",
    additionalProperties: false,
    required: ["owner", "repo"],
    properties: {
      owner: { type: "string", maxLength: 200, pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$" },
      repo: { type: "string", maxLength: 200, pattern: "^(?!\\.{1,2}$)[A-Za-z0-9_.][A-Za-z0-9_.-]*$" },
    },
  },
  CloudEnvironmentConfig: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      name,
      description: optionalPlain,
      docker_image: {
        type: "string",
        maxLength: 500,
        pattern: "^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$",
        description: "A reference of an image, for example registry.example.com/team/image:1.",
      },
      github_repos: { type: "array", items: ref("GitHubRepo") },
      setup_commands: {
        type: "array",
        items: notEmpty,
        description: "Shell commands that prepare the environment, in this order.",
      },
      secrets,
    },
  },
  CloudEnvironment: {
    type: "object",
    additionalProperties: false,
    required: [
      "uid",
      "config",
      "created_at",
      "last_updated",
      "setup_failed",
      "creator",
      "last_editor",
      "scope",
    ],
    properties: {
      uid: text,
      config: ref("CloudEnvironmentConfig"),
      created_at: instant,
      last_updated: instant,
      setup_failed: { type: "boolean" },
      creator: ref("RunCreatorInfo"),
      last_editor: ref("RunCreatorInfo"),
      scope: ref("Scope"),
      missing_secrets: {
        type: "array",
        items: text,
        description:
          "Secrets that it names and that do not exist: runs go without them. Left out when there are none.",
      },
    },
  },
  ListEnvironmentsResponse: listOf("environments", "CloudEnvironment"),
  AgentResponse: {
    type: "object",
    additionalProperties: false,
    required: ["uid", "name", "description", "available", "created_at", "updated_at", "secrets", "skills"],
    properties: {
      uid: text,
      name: text,
      description: optionalText,
      available: { type: "boolean" },
      created_at: instant,
      updated_at: instant,
      secrets,
      skills: { type: "array", items: text },
      factory_uid: { type: "string", description: "The factory whose definition describes the agent." },
      agent_type: { type: "string", description: "The agentType of a definition." },
    },
  },
  ListAgentIdentitiesResponse: listOf("agents", "AgentResponse"),
  CreateAgentRequest: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: { name, description: optionalPlain, secrets, skills },
  },
  UpdateAgentRequest: {
    type: "object",
    additionalProperties: false,
    description: "What is left out or null stays; an empty value clears.",
    properties: {
      name: { ...name, type: ["string", "null"] },
      description: optionalPlain,
      secrets: { ...secrets, type: ["array", "null"] },
      skills: { ...skills, type: ["array", "null"] },
    },
  },
  ScheduledAgentItem: {
    type: "object",
    additionalProperties: false,
    required: [
      "id",
      "name",
      "cron_schedule",
      "prompt",
      "enabled",
      "created_at",
      "updated_at",
      "created_by",
      "updated_by",
      "history",
      "last_spawn_error",
      "scope",
    ],
    properties: {
      id: { type: "string", format: "uuid" },
      name: text,
      cron_schedule: text,
      prompt: text,
      enabled: { type: "boolean" },
      agent_config: ref("AmbientAgentConfig"),
      created_at: instant,
      updated_at: instant,
      created_by: ref("RunCreatorInfo"),
      updated_by: ref("RunCreatorInfo"),
      history: {
        type: "object",
        additionalProperties: false,
        required: ["last_ran", "next_run"],
        properties: { last_ran: optionalInstant, next_run: optionalInstant },
      },
      last_spawn_error: optionalText,
      scope: ref("Scope"),
      factory_uid: text,
      agent_uid: text,
    },
  },
  ListScheduledAgentsResponse: listOf("schedules", "ScheduledAgentItem"),
  CreateScheduledAgentRequest: {
    type: "object",
    additionalProperties: false,
    required: ["name", "cron_schedule"],
    properties: {
      name,
      cron_schedule: cron,
      prompt: { ...plain, description: "Required unless agent_config.skill_spec is given." },
      agent_config: ref("AmbientAgentConfig"),
      enabled: { type: "boolean", description: "True when it is left out." },
      team: { type: "boolean", description: "Without effect: every schedule is the team's." },
      agent_uid: { type: "string", description: "The agent that runs, as /agent/identities lists it." },
    },
  },
  UpdateScheduledAgentRequest: {
    type: "object",
    additionalProperties: false,
    required: ["name", "cron_schedule", "enabled"],
    properties: {
      name,
      cron_schedule: cron,
      prompt: { ...plain, description: "Required unless agent_config.skill_spec is given." },
      agent_config: ref("AmbientAgentConfig"),
      enabled: { type: "boolean" },
    },
  },
  DeleteScheduledAgentResponse: {
    type: "object",
    additionalProperties: false,
    required: ["success"],
    properties: { success: { type: "boolean" } },
  },
} as const;
