import { MAX_ANSWER, MAX_NOTE, URGENCIES } from "../../runs/rules/agent-report.ts";
import { base64, mediaType } from "../http/request-models.ts";
import { instant, optionalInstant, optionalText, text } from "../http/shapes.ts";

const saidText = (maxLength: number, description: string) => ({
  type: "string",
  pattern: "\\S",
  maxLength,
  "x-text": { lines: "several" },
  description,
});

/** What agents report, and what they ask for. */
export const reportModels = {
  RunQuestion: {
    type: "object",
    additionalProperties: false,
    description: "The question that a blocked run asks.",
    required: ["text", "choices", "urgency", "asked_at"],
    properties: {
      text,
      choices: {
        type: "array",
        items: text,
        description: "The answers that it offers; any text is an answer.",
      },
      urgency: { type: "string", enum: [...URGENCIES] },
      asked_at: instant,
    },
  },
  AnswerReport: {
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: { text: saidText(MAX_ANSWER, "The final answer of the turn, at most 65,536 characters.") },
  },
  StatusReport: {
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: { text: saidText(200, "What the agent is doing, at most 200 characters.") },
  },
  ReportReceipt: {
    type: "object",
    additionalProperties: false,
    required: ["run_id", "text"],
    properties: {
      run_id: { type: "string", format: "uuid" },
      text: { ...text, description: "The text as it was stored: secrets are masked." },
    },
  },
  ArtifactFileReport: {
    type: "object",
    additionalProperties: false,
    required: ["name", "data"],
    properties: {
      name: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        "x-text": { lines: "one" },
        description: "The path of the file below artifacts/, for example reports/result.json.",
      },
      mime_type: mediaType,
      data: { ...base64, description: "The content, as base64; at most 1 MiB of bytes." },
    },
  },
  FamilyNote: {
    type: "object",
    additionalProperties: false,
    required: ["text", "updated_at", "updated_by"],
    properties: {
      text: { ...text, description: "The text; empty if nothing was written yet." },
      updated_at: optionalInstant,
      updated_by: { ...optionalText, description: "The name of the agent that wrote last." },
      updated_by_run_id: { type: "string", format: "uuid" },
    },
  },
  FamilyNoteChange: {
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: {
      text: {
        type: "string",
        maxLength: MAX_NOTE,
        "x-text": { lines: "several" },
        description: "The new text, at most 65,536 characters.",
      },
      append: {
        type: "boolean",
        description:
          "Whether to add the text to the end, on a new line. If the page is then longer than 65,536 characters, its beginning is dropped.",
      },
    },
  },
  RunDelivery: {
    type: "object",
    additionalProperties: false,
    required: ["delivery_id", "webhook", "event", "received_at", "payload"],
    properties: {
      delivery_id: text,
      webhook: { ...optionalText, description: "The name of the webhook; null if it was deleted." },
      event: optionalText,
      received_at: instant,
      headers: {
        type: "object",
        additionalProperties: text,
        description: "The headers with the event and the id of the delivery.",
      },
      payload: { description: "The body of the delivery." },
    },
  },
  RunAgents: {
    type: "object",
    additionalProperties: false,
    required: ["agents"],
    properties: {
      agents: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["name", "type", "description", "may_start"],
          properties: {
            name: text,
            type: text,
            description: text,
            may_start: {
              type: "boolean",
              description: "Whether the grant of the run allows it to start this agent.",
            },
          },
        },
      },
    },
  },
} as const;
