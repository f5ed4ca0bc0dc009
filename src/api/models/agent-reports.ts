import { MAX_ANSWER, MAX_NOTE, URGENCIES } from "../../runs/rules/agent-report.ts";
import { MAX_TREE } from "../../runs/rules/family.ts";
import { MAX_WAITED, WAIT_MODES } from "../../runs/rules/wait.ts";
import { ref } from "../http/operation.ts";
import { base64, mediaType } from "./run-requests.ts";
import { instant, optionalInstant, optionalText, record, text, uuid } from "./shapes.ts";

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
  AnswerReport: record({
    "text?": saidText(MAX_ANSWER, "The final answer of the turn, at most 65,536 characters."),
    "json?": {
      description:
        "The final answer as JSON, at most 64 KiB. In a run with an output schema, it has to fit that; without it, the text has to be such JSON.",
    },
  }),
  StatusReport: record({ text: saidText(200, "What the agent is doing, at most 200 characters.") }),
  ReportReceipt: record({
    run_id: { type: "string", format: "uuid" },
    text: { ...text, description: "The text as it was stored: secrets are masked." },
  }),
  ArtifactFileReport: record({
    name: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      "x-text": { lines: "one" },
      description: "The path of the file below artifacts/, for example reports/result.json.",
    },
    "mime_type?": mediaType,
    data: { ...base64, description: "The content, as base64; at most 1 MiB of bytes." },
  }),
  FamilyNote: record({
    text: { ...text, description: "The text; empty if nothing was written yet." },
    updated_at: optionalInstant,
    updated_by: { ...optionalText, description: "The name of the agent that wrote last." },
    "updated_by_run_id?": { type: "string", format: "uuid" },
  }),
  FamilyNoteChange: record({
    text: {
      type: "string",
      maxLength: MAX_NOTE,
      "x-text": { lines: "several" },
      description: "The new text, at most 65,536 characters.",
    },
    "append?": {
      type: "boolean",
      description:
        "Whether to add the text to the end, on a new line. If the page is then longer than 65,536 characters, its beginning is dropped.",
    },
  }),
  RunDelivery: record({
    delivery_id: text,
    webhook: { ...optionalText, description: "The name of the webhook; null if it was deleted." },
    event: optionalText,
    received_at: instant,
    "headers?": {
      type: "object",
      additionalProperties: text,
      description: "The headers with the event and the id of the delivery.",
    },
    payload: { description: "The body of the delivery." },
  }),
  RunAgents: record({
    agents: {
      type: "array",
      items: record({
        name: text,
        type: text,
        description: text,
        may_start: {
          type: "boolean",
          description: "Whether the grant of the run allows it to start this agent.",
        },
      }),
    },
  }),
} as const;

/** Families of runs. */
export const treeModels = {
  RunTree: record({
    root_run_id: { ...uuid, description: "The root of the family. It may have been deleted." },
    runs: {
      type: "array",
      items: ref("RunTreeItem"),
      description: `The runs of the family that the caller can access, oldest first; at most ${MAX_TREE}. With the token of a run: that run and its descendants.`,
    },
  }),
  RunTreeItem: record({
    run_id: uuid,
    parent_run_id: { type: ["string", "null"], format: "uuid" },
    agent: { ...text, description: "The name of the agent that executes the run." },
    title: text,
    state: ref("RunState"),
    created_at: instant,
    started_at: { type: ["string", "null"], format: "date-time" },
    finished_at: { type: ["string", "null"], format: "date-time" },
    "waiting_for?": { type: "array", items: uuid, description: "The runs that the run waits for." },
    "cost_usd?": {
      type: "number",
      description: "What the models have cost so far, as far as it is known.",
    },
    is_sandbox_running: { type: "boolean" },
  }),
  RunParent: {
    type: "object",
    additionalProperties: false,
    description: "The run that started this run, if it is stored. Only in the response for a single run.",
    required: ["run_id", "title", "state"],
    properties: { run_id: uuid, title: text, state: ref("RunState") },
  },
} as const;

/** One week. A run that waits keeps its workspace. */
export const MAX_WAIT_SECONDS = 7 * 24 * 60 * 60;
const DEFAULT_WAIT_SECONDS = 24 * 60 * 60;
const MAX_HOLD_SECONDS = 60;

export const waitModels = {
  WaitRequest: record({
    "run_ids?": {
      type: "array",
      items: uuid,
      minItems: 1,
      maxItems: MAX_WAITED,
      description:
        "The runs to wait for: descendants of the run. By default, the run's own children that have not ended, and those whose results it has not been given. If it has been given all results, all of its children.",
    },
    "mode?": {
      type: "string",
      enum: [...WAIT_MODES],
      default: "all",
      description: "Whether all of the runs have to end, or any one of them.",
    },
    "timeout_seconds?": {
      type: "integer",
      minimum: 1,
      maximum: MAX_WAIT_SECONDS,
      default: DEFAULT_WAIT_SECONDS,
      description: "When the wait ends although the runs have not ended.",
    },
    "hold_seconds?": {
      type: "integer",
      minimum: 0,
      maximum: MAX_HOLD_SECONDS,
      default: 0,
      description: "How long the server waits for the results before it responds.",
    },
  }),
  WaitResponse: record({
    state: {
      type: "string",
      enum: ["done", "waiting", "timed_out"],
      description:
        "done: the runs have ended as the mode requires. waiting: the wait is recorded. When the agent exits with code 0, the run waits without a process, and the results begin its next turn. timed_out: the time limit was reached first.",
    },
    runs: { type: "array", items: ref("ChildResult") },
  }),
  ChildResult: record({
    run_id: uuid,
    agent: { type: "string", description: "The name of the agent that the run was given to." },
    title: { type: "string" },
    state: ref("RunState"),
    is_sandbox_running: {
      type: "boolean",
      description:
        "Whether the agent of the run is running. False for a run that is queued or waits for other runs.",
    },
    answer: {
      type: ["string", "null"],
      description: "The agent's final answer. Null until the run has ended.",
    },
    status_message: { anyOf: [ref("RunStatusMessage"), { type: "null" }] },
    artifacts: { type: "array", items: ref("Artifact") },
  }),
} as const;

/** The defaults of a request. */
export const WAIT_DEFAULTS = { mode: "all", timeout_seconds: DEFAULT_WAIT_SECONDS, hold_seconds: 0 } as const;
