import { TREE_LIMITS } from "../../definitions/load-file.ts";
import { RESOURCE_KINDS } from "../../definitions/plan.ts";
import { WARNING_CODES } from "../../definitions/plan-warning.ts";
import { ref } from "./operation.ts";
import { instant, optionalText, text } from "./shapes.ts";

const position = { type: "integer", minimum: 1 };
const number = { type: "integer", minimum: 0 };
const ids = { type: "array", items: text };

/** What can be planned; a request names one of them at most. */
const SUBJECTS = ["files", "changes", "ref", "pull_request"] as const;

function pairsOf(names: readonly string[]): string[][] {
  return names.flatMap((name, place) => names.slice(place + 1).map((other) => [name, other]));
}

/** The models of what a definition would change. */
export const planModels = {
  PlanRequest: {
    type: "object",
    additionalProperties: false,
    description: "What to plan: the production branch or the folder as it is now, when nothing is said.",
    properties: {
      files: {
        type: "array",
        maxItems: TREE_LIMITS.files,
        items: ref("DefinitionFile"),
        description: "The files of a definition, instead of the factory's own source.",
      },
      changes: {
        type: "array",
        minItems: 1,
        maxItems: 100,
        items: ref("PlannedFile"),
        description:
          "The definition in force with these files changed, as an editor holds them before they are saved.",
      },
      ref: {
        type: "string",
        minLength: 1,
        maxLength: 250,
        description: "A branch, a tag, a commit or a full refs/… of the factory's own repository.",
      },
      pull_request: {
        type: "integer",
        minimum: 1,
        description:
          "The number of a pull request of the factory's own repository, merged into the production branch as it is now.",
      },
      traffic: {
        type: "boolean",
        description: "Whether stored deliveries are held against the filters; true when nothing is said.",
      },
    },
    not: { anyOf: pairsOf(SUBJECTS).map((required) => ({ required })) },
  },
  PlannedFile: {
    type: "object",
    additionalProperties: false,
    required: ["path", "content"],
    properties: {
      path: { type: "string", minLength: 1, description: "Relative to the root of the definition, with /." },
      content: { type: ["string", "null"], description: "The text that it would have; null takes it away." },
    },
  },
  DefinitionFile: {
    type: "object",
    additionalProperties: false,
    required: ["path", "content"],
    properties: {
      path: { type: "string", minLength: 1, description: "Relative to the root of the definition, with /." },
      content: text,
      encoding: { const: "base64", description: "The content is the bytes in base64; text without it." },
      executable: { type: "boolean", description: "Whether the file is meant to be executed." },
    },
  },
  Plan: {
    type: "object",
    additionalProperties: false,
    required: ["factory", "revision", "applicable", "summary", "changes", "warnings", "problems", "traffic"],
    properties: {
      factory: text,
      revision: { ...optionalText, description: "The commit; null for files that were sent." },
      applicable: {
        type: "boolean",
        description: "Whether it could be applied: no problem is an error, and no warning blocks.",
      },
      summary: {
        type: "object",
        additionalProperties: false,
        required: ["create", "update", "delete", "unchanged"],
        properties: { create: number, update: number, delete: number, unchanged: number },
      },
      changes: { type: "array", items: ref("PlannedChange") },
      warnings: { type: "array", items: ref("PlanWarning") },
      problems: { type: "array", items: ref("Problem") },
      traffic: {
        type: ["object", "null"],
        additionalProperties: false,
        required: ["since", "deliveries", "complete", "automations"],
        description:
          "What stored deliveries would have started, by the definition in force and by the plan; null when nobody asked, " +
          "nothing is in force yet, the definition is not valid, or the deliveries took too long.",
        properties: {
          since: instant,
          deliveries: { ...number, description: "How many were held against the filters." },
          complete: {
            type: "boolean",
            description: "Whether these are all since then; false leaves out older ones.",
          },
          automations: { type: "array", items: ref("AutomationTraffic") },
        },
      },
    },
  },
  PlannedChange: {
    type: "object",
    additionalProperties: false,
    required: ["action", "kind", "name", "path", "uid", "fields", "values"],
    properties: {
      action: { type: "string", enum: ["create", "update", "delete", "unchanged"] },
      kind: { type: "string", enum: [...RESOURCE_KINDS] },
      name: text,
      path: text,
      uid: { ...optionalText, description: "What it has, or had before it was deleted; null for a new one." },
      fields: { type: "array", items: text, description: "Of an update: what differs." },
      values: {
        type: "array",
        items: ref("FieldChange"),
        description: "Of an update: what those fields said and say, at most 20.",
      },
    },
  },
  FieldChange: {
    type: "object",
    additionalProperties: false,
    required: ["field", "before", "after", "lines"],
    properties: {
      field: { type: "string", description: "As triggers[0].payload.branch." },
      before: {
        ...optionalText,
        description:
          "JSON, cut; of a text of several lines, the first that differs. Null for what was not there. What an MCP server is called with is not shown.",
      },
      after: { ...optionalText, description: "As before, of what it would say." },
      lines: {
        type: ["object", "null"],
        additionalProperties: false,
        required: ["first", "before", "after"],
        properties: {
          first: { type: "integer" },
          before: { type: "integer" },
          after: { type: "integer" },
        },
        description: "Of a text of several lines: which is shown, and how many give way to how many.",
      },
    },
  },
  PlanWarning: {
    type: "object",
    additionalProperties: false,
    required: ["code", "message", "path", "line", "column", "blocking"],
    properties: {
      code: { type: "string", enum: [...WARNING_CODES] },
      message: text,
      path: text,
      line: position,
      column: position,
      blocking: { type: "boolean", description: "Whether it is not applied as long as this is so." },
    },
  },
  AutomationTraffic: {
    type: "object",
    additionalProperties: false,
    required: ["name", "before", "after", "starts", "stops"],
    properties: {
      name: text,
      before: { ...number, description: "Runs by the definition in force." },
      after: { ...number, description: "Runs by the plan." },
      starts: { ...ids, description: "Deliveries that start a run by the plan only; a few of the newest." },
      stops: { ...ids, description: "Deliveries that start a run now and would not; a few of the newest." },
    },
  },
} as const;
