import { URGENCIES } from "../../runs/rules/agent-report.ts";
import { REPORTED_TYPES } from "../../runs/rules/artifact.ts";
import { ref } from "../http/operation.ts";
import { boundedText, described, metadata, mode, record, text } from "./shapes.ts";

const shortText = boundedText(1_000);
const line = boundedText(1_000, "one");

/** Texts that are kept as they are sent: not empty, and without what no file and no environment could hold. */
const wholeText = { type: "string", pattern: "\\S", "x-text": {}, description: "Non-empty text." };
export const base64 = {
  type: "string",
  // A pattern that repeats a group overflows the stack on megabytes.
  format: "base64",
  description: "The content, as base64.",
};
export const mediaType = {
  type: "string",
  pattern: "^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$",
  description: "A media type such as image/png.",
};

const withSkill = { anyOf: [{ required: ["skill_spec"] }, { required: ["skills"] }] };

/** What the run API is asked. Keys that any version of the public clients sends are known here. */
export const requestModels = {
  RunAgentRequest: {
    type: "object",
    additionalProperties: false,
    if: {
      not: { anyOf: [{ required: ["skill"] }, { required: ["config"], properties: { config: withSkill } }] },
    },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["prompt"] },
    properties: {
      prompt: { ...wholeText, description: "The prompt for the agent; required unless a skill is given." },
      mode,
      skill: { ...wholeText, maxLength: 1_000, description: "A skill such as owner/repo:name." },
      config: ref("AmbientAgentConfig"),
      title: { ...wholeText, maxLength: 500 },
      team: { type: "boolean" },
      agent_identity_uid: shortText,
      agent: {
        ...shortText,
        description:
          "The name of an agent of the factory. With the token of a run: the agent to start, which is required.",
      },
      factory: {
        ...shortText,
        description:
          "The factory that the run belongs to, by name or UID; its foreman executes the run if no agent is specified.",
      },
      on_behalf_of: shortText,
      conversation_id: shortText,
      attachments: { type: "array", maxItems: 5, items: ref("AttachmentInput") },
      images: { type: "array", maxItems: 5, items: ref("ImageInput"), deprecated: true },
      artifacts: {
        type: "array",
        maxItems: 5,
        items: { type: "string", minLength: 1, "x-text": { maxBytes: 1_000 } },
        description:
          "File artifacts of the parent run, by path or UID, that become attachments of this run. At most 8 MiB in total.",
      },
      checkout: ref("RequestedCheckout"),
      parent_run_id: shortText,
      interactive: { type: "boolean" },
      metadata,
    },
  },
  RequestedCheckout: {
    type: "object",
    additionalProperties: false,
    description:
      "Where a repository of the run is checked out. Without it, repositories are on their default branches.",
    required: ["ref"],
    properties: {
      ref: {
        ...shortText,
        description:
          "A branch, a tag, a commit of a branch or tag, or a full name such as refs/pull/7/head. If it does not exist when the run is prepared, the run ends in the state FAILED.",
      },
      repository: {
        ...shortText,
        description: "The repository, as owner/name; required if the run has several repositories.",
      },
    },
  },
  AttachmentInput: record({
    file_name: {
      type: "string",
      description:
        "A file name without a path, at most 255 bytes; unique among the attachments and different from the run's own files.",
    },
    mime_type: mediaType,
    data: base64,
  }),
  ImageInput: record({
    mime_type: { type: "string", enum: ["image/jpeg", "image/png", "image/gif", "image/webp"] },
    data: base64,
  }),
  ArtifactReport: record({
    artifact_type: { type: "string", enum: [...REPORTED_TYPES] },
    data: described(
      "An artifact of a run. Pull requests and external references require url, plans require title, and external references of the type branch require repository and branch instead of url.",
      {
        "title?": line,
        "url?": {
          type: "string",
          pattern: "^https?://[^\\s]+$",
          "x-text": { maxBytes: 2_000, lines: "one" },
          description: "An https or http URL.",
        },
        "branch?": line,
        "reference_type?": {
          ...line,
          description: "The type of an external reference, for example linear_issue or branch.",
        },
        "repository?": {
          ...line,
          pattern: "^[A-Za-z0-9_.][\\w.-]*(/[A-Za-z0-9_.][\\w.-]*)+$",
          description: "The repository of a branch, as owner/name.",
        },
        "commit?": {
          type: "string",
          pattern: "^[0-9a-f]{7,64}$",
          description: "The hash of the commit that the branch has.",
        },
        "content?": {
          ...boundedText(256 * 1024, "several"),
          description: "The text of a plan, at most 256 KiB.",
        },
      },
    ),
  }),
  BlockedReport: record({
    message: {
      ...wholeText,
      "x-text": { maxBytes: 16 * 1024, lines: "several" },
      description: "The agent's question, at most 16 KiB.",
    },
    "choices?": {
      type: "array",
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      items: { type: "string", pattern: "\\S", maxLength: 200, "x-text": { lines: "one" } },
      description: "Answers to choose from, at most 10 of 200 characters. A person may answer differently.",
    },
    "urgency?": { type: "string", enum: [...URGENCIES], description: "The default is normal." },
  }),
  RunFollowupRequest: record({
    message: wholeText,
    "mode?": mode,
    "attachments?": {
      type: "array",
      maxItems: 25,
      items: record({ attachment_id: shortText, "file_name?": shortText }),
    },
  }),
  FactoryRunRequest: record({
    prompt: wholeText,
    "title?": { ...wholeText, maxLength: 500 },
    "ticket_ref?": {
      type: "string",
      pattern: "^[^:\\s]{1,64}:\\S{1,190}$",
      description: "The origin of the request, as source:id.",
    },
    "ticket_url?": { type: "string", format: "uri", "x-text": { maxBytes: 256 } },
  }),
} as const;

/** What is answered about repeating a run. */
export const runAgainModels = {
  RunAgainPlan: record({
    run_id: { type: "string", format: "uuid", description: "The run that is run again." },
    based_on: {
      type: "string",
      enum: ["automation", "request"],
      description:
        "automation: the run's automation as it is defined now. request: the recorded prompt and configuration of the run.",
    },
    title: text,
    source: ref("RunSourceType"),
    "factory?": { type: "string", description: "The name of its factory." },
    "automation?": { type: "string", description: "The name of its automation." },
    "automation_enabled?": {
      type: "boolean",
      description: "Whether the automation is enabled. A disabled automation does not prevent the run.",
    },
    "agent?": { type: "string", description: "The name of the agent that executes it." },
    "delivery_id?": { type: "string", format: "uuid", description: "The delivery whose payload it gets." },
    "schedule?": { type: "string", description: "The name of its schedule." },
    attachments: { type: "array", items: text, description: "The names of the files that it gets." },
    secrets: { type: "array", items: text, description: "The names of the secrets that it gets." },
    is_paused: { type: "boolean", description: "Whether a pause makes it wait." },
  }),
} as const;
