import { ref } from "../http/operation.ts";
import { instant, listOf, metadata, mode, optionalInstant, optionalText, text } from "../http/shapes.ts";
import { name, plain } from "./agent-shapes.ts";

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
  ScheduledAgentItem: {
    type: "object",
    additionalProperties: false,
    required: [
      "id",
      "name",
      "cron_schedule",
      "timezone",
      "prompt",
      "enabled",
      "metadata",
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
      timezone,
      prompt: text,
      enabled: { type: "boolean" },
      metadata: {
        type: "object",
        additionalProperties: text,
        description: "Added to the metadata of each of its runs.",
      },
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
      timezone: { ...timezone, description: `${timezone.description} Defaults to UTC.` },
      prompt: { ...plain, description: "Required unless agent_config.skill_spec is given." },
      agent_config: ref("AmbientAgentConfig"),
      enabled: { type: "boolean", description: "Defaults to true." },
      team: {
        type: "boolean",
        description: "Accepted, but has no effect, because every schedule belongs to the team.",
      },
      agent_uid: {
        type: "string",
        description: "The UID of the agent to run, as listed by /agent/identities.",
      },
      metadata,
      mode,
    },
  },
  UpdateScheduledAgentRequest: {
    type: "object",
    additionalProperties: false,
    required: ["name", "cron_schedule", "enabled"],
    properties: {
      name,
      cron_schedule: cron,
      timezone: { ...timezone, description: `${timezone.description} Unchanged if omitted.` },
      prompt: { ...plain, description: "Required unless agent_config.skill_spec is given." },
      agent_config: ref("AmbientAgentConfig"),
      enabled: { type: "boolean" },
      agent_uid: {
        type: "string",
        description: "The UID of the agent to run from now on; unchanged if omitted.",
      },
      metadata: { ...metadata, description: "Added to the metadata of each run; unchanged if omitted." },
      mode,
    },
  },
  DeleteScheduledAgentResponse: {
    type: "object",
    additionalProperties: false,
    required: ["success"],
    properties: { success: { type: "boolean" } },
  },
} as const;
