import { RESOURCE_KINDS } from "../../definitions/changes/plan.ts";
import { WARNING_CODES } from "../../definitions/changes/plan-warning.ts";
import { TREE_LIMITS } from "../../definitions/loading/load-file.ts";
import { COMMIT_STATES } from "../../reconcile/commit-standing.ts";
import { REASONS } from "../../reconcile/outcome.ts";
import { ref } from "../http/operation.ts";
import { boundedText, described, instant, listOf, optionalText, problemOf, record, text } from "./shapes.ts";

const position = { type: "integer", minimum: 1 };
const number = { type: "integer", minimum: 0 };
const ids = { type: "array", items: text };

/** What can be planned; a request names one of them at most. */
const SUBJECTS = ["files", "changes", "ref", "pull_request", "revision"] as const;

function pairsOf(names: readonly string[]): string[][] {
  return names.flatMap((name, place) => names.slice(place + 1).map((other) => [name, other]));
}

/** The models of what a definition would change. */
export const planModels = {
  PlanRequest: {
    type: "object",
    additionalProperties: false,
    description: "The definition to plan. Defaults to the current production branch or folder.",
    properties: {
      files: {
        type: "array",
        maxItems: TREE_LIMITS.files,
        items: ref("DefinitionFile"),
        description: "The files of a definition, in place of the factory's own source.",
      },
      changes: {
        type: "array",
        minItems: 1,
        maxItems: 100,
        items: ref("PlannedFile"),
        description: "Changes to files of the applied definition, for example unsaved changes in an editor.",
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
          "The number of a pull request of the factory's own repository; the plan covers its merge into the current production branch.",
      },
      revision: {
        type: "string",
        pattern: "^[0-9a-fA-F]{7,64}$",
        description:
          "The hash of an applied revision, or at least its first 7 characters: the plan shows what rolling back to it would change.",
      },
      traffic: {
        type: "boolean",
        description: "Whether to replay stored deliveries against the filters. Defaults to true.",
      },
    },
    not: { anyOf: pairsOf(SUBJECTS).map((required) => ({ required })) },
  },
  PlannedFile: record({
    path: {
      type: "string",
      minLength: 1,
      description: "The path relative to the root of the definition, with / as separator.",
    },
    content: { type: ["string", "null"], description: "The new text of the file; null deletes it." },
  }),
  DefinitionFile: record({
    path: {
      type: "string",
      minLength: 1,
      description: "The path relative to the root of the definition, with / as separator.",
    },
    content: text,
    "encoding?": { const: "base64", description: "Set if the content is base64; if omitted, it is text." },
    "executable?": { type: "boolean", description: "Whether the file is executable." },
  }),
  Plan: record({
    factory: text,
    revision: { ...optionalText, description: "The planned commit; null for files sent in the request." },
    applicable: {
      type: "boolean",
      description:
        "Whether the definition could be applied: no problem is an error, and no warning is blocking.",
    },
    summary: record({ create: number, update: number, delete: number, unchanged: number }),
    changes: { type: "array", items: ref("PlannedChange") },
    warnings: { type: "array", items: ref("PlanWarning") },
    problems: { type: "array", items: ref("Problem") },
    traffic: {
      type: ["object", "null"],
      additionalProperties: false,
      required: ["since", "deliveries", "complete", "automations"],
      description:
        "The runs that stored deliveries would have started, under the applied definition and under the plan; null if not requested, " +
        "if no definition is applied yet, if the planned definition is not valid, or if the replay timed out.",
      properties: {
        since: instant,
        deliveries: { ...number, description: "The number of deliveries that were replayed." },
        complete: {
          type: "boolean",
          description:
            "Whether all deliveries since that time were replayed; if false, older ones were left out.",
        },
        automations: { type: "array", items: ref("AutomationTraffic") },
      },
    },
  }),
  PlannedChange: record({
    action: { type: "string", enum: ["create", "update", "delete", "unchanged"] },
    kind: { type: "string", enum: [...RESOURCE_KINDS] },
    name: text,
    path: text,
    uid: {
      ...optionalText,
      description: "The current UID, or the UID before deletion; null for a new resource.",
    },
    fields: { type: "array", items: text, description: "The fields that an update changes." },
    values: {
      type: "array",
      items: ref("FieldChange"),
      description: "The values of those fields before and after an update, at most 20.",
    },
  }),
  FieldChange: record({
    field: {
      type: "string",
      description: "The path of the field, for example triggers[0].payload.branch.",
    },
    before: {
      ...optionalText,
      description:
        "The old value as JSON, truncated; for multi-line text, the first line that differs. Null if the field was not set. The arguments, environment and headers of MCP servers are not shown.",
    },
    after: { ...optionalText, description: "The new value, in the same form as before." },
    lines: {
      type: ["object", "null"],
      additionalProperties: false,
      required: ["first", "before", "after"],
      properties: {
        first: { type: "integer" },
        before: { type: "integer" },
        after: { type: "integer" },
      },
      description:
        "The position of the change in a multi-line text: the number of the first line that differs, which is the line shown (first), the number of lines replaced (before) and the number of lines that replace them (after).",
    },
  }),
  PlanWarning: record({
    code: { type: "string", enum: [...WARNING_CODES] },
    message: text,
    path: text,
    line: position,
    column: position,
    blocking: {
      type: "boolean",
      description: "Whether the definition cannot be applied until this is resolved.",
    },
  }),
  AutomationTraffic: record({
    name: text,
    before: { ...number, description: "Number of runs under the applied definition." },
    after: { ...number, description: "Number of runs under the plan." },
    starts: {
      ...ids,
      description: "Some of the newest deliveries that would start a run only under the plan.",
    },
    stops: {
      ...ids,
      description: "Some of the newest deliveries that start a run now but would not under the plan.",
    },
    "grouped?": described(
      "Only for an automation with a concurrency key or a debounce block under the plan: the deliveries behind its runs, as if the runs took no time.",
      {
        deliveries: { ...number, description: "Number of deliveries that fire the automation." },
        continued: {
          ...number,
          description: "Number of deliveries that become a message to a run that has started.",
        },
      },
    ),
    "cost?": described(
      "The cost of a run of the automation, if it would start another number of runs, all deliveries of the week were replayed, and the cost of its last runs is known.",
      {
        median: { type: "number", minimum: 0, description: "The median of the last runs, in US dollars." },
        runs: { ...number, description: "The number of these runs, at most 50." },
      },
    ),
  }),
} as const;

/** The models of a factory's history. */
export const revisionModels = {
  RevisionChange: record({
    action: { type: "string", enum: ["create", "update", "delete"] },
    kind: text,
    name: { type: "string", description: "The name of the resource; empty for the factory itself." },
    fields: { type: "array", items: text, description: "The top-level fields that an update changes." },
  }),
  AskedBy: record({
    reason: {
      type: ["string", "null"],
      enum: [...REASONS, null],
      description:
        "The cause of the attempt. The value change means that the folder changed; null means that the attempt was recorded before causes were stored.",
    },
    principal: {
      type: ["object", "null"],
      additionalProperties: false,
      required: ["uid", "type", "display_name"],
      properties: {
        uid: text,
        type: { type: "string", enum: ["user", "service_account"] },
        display_name: text,
      },
    },
  }),
  Revision: described("One attempt to apply a revision.", {
    id: text,
    revision: { type: "string", description: "The full hash of the commit, or of a folder's content." },
    author: optionalText,
    message: optionalText,
    outcome: { type: "string", enum: ["applied", "failed"] },
    changes: {
      type: "array",
      description: "What the revision changed or, if it failed, would have changed.",
      items: ref("RevisionChange"),
    },
    problems: { type: "array", items: ref("Problem") },
    asked_by: ref("AskedBy"),
    is_in_force: { type: "boolean", description: "Whether this revision is the applied one now." },
    at: instant,
  }),
  RevisionList: listOf("revisions", "Revision"),
  RollbackRequest: record({
    revision: {
      ...boundedText(64),
      pattern: "^[0-9a-fA-F]{7,64}$",
      description: "The hash of a previously applied revision, or at least its first 7 characters.",
    },
  }),
  CommitStanding: record({
    commit: text,
    state: {
      type: "string",
      enum: [...COMMIT_STATES],
      description:
        "in_force: the commit, or a later commit that includes it, is applied. failed: the commit was refused and is not retried automatically. replaced: the commit was applied, but the applied revision no longer includes it. suspended: nothing is applied until the factory is resumed. pending: not synced yet.",
    },
    attempted_revision: optionalText,
    applied_revision: optionalText,
    problems: { type: "array", items: ref("Problem") },
  }),
} as const;

const texts = { type: "array", items: text };
const flag = { type: "boolean" };

/** Definitions that somebody sends to be checked may have so many files, of so many bytes, and in all. */
export const SENT_LIMITS = { files: 256, fileBytes: 256 * 1024, bytes: 2 * 1024 * 1024 } as const;

/** The models of the definition format itself. */
export const factoryFileModels = {
  FactoryFileVersions: record({
    current_version: text,
    versions: {
      type: "array",
      items: record({
        schema_version: text,
        schema_url: { type: "string", description: "Relative to the root of the server." },
      }),
    },
  }),
  FactoryFileSchemas: record({
    schema_version: text,
    documents: {
      type: "object",
      additionalProperties: { type: "object", required: ["$schema"], properties: { $schema: text } },
      description: "The schemas (JSON Schema 2020-12), by file name.",
    },
  }),
  ValidateFilesRequest: record({
    files: { type: "array", maxItems: SENT_LIMITS.files, items: ref("DefinitionFile") },
  }),
  FilesValidation: record({
    valid: flag,
    schema_version: text,
    diagnostics: { type: "array", items: problemOf(["error", "warning"]) },
    deferred_resolutions: {
      type: "array",
      description: "References that only a server can resolve.",
      items: record({ path: text, field: text, kind: text }),
    },
    state_dependent_checks_not_run: texts,
    validation_scope: record({ parser: flag, state_independent: flag, state_dependent: flag }),
  }),
} as const;
