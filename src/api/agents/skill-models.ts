import { ref } from "../http/operation.ts";
import { optionalInstant, text } from "../http/shapes.ts";

const strings = (...names: string[]) => ({
  type: "object",
  additionalProperties: false,
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, text])),
});

/** The models of skills, which the public API lists as agents. */
export const skillModels = {
  AgentListResponse: {
    type: "object",
    additionalProperties: false,
    required: ["agents"],
    properties: { agents: { type: "array", items: ref("AgentSkill") } },
  },
  AgentSkill: {
    type: "object",
    additionalProperties: false,
    required: ["name", "variants"],
    properties: { name: text, variants: { type: "array", items: ref("AgentSkillVariant") } },
  },
  AgentSkillVariant: {
    type: "object",
    additionalProperties: false,
    required: ["id", "base_prompt", "description", "environments", "source", "last_run_timestamp"],
    properties: {
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
      error: { type: "string", description: "Why the skill cannot be read." },
    },
  },
} as const;
