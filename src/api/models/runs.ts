import { PRIORITIES } from "../../definitions/definition.ts";
import { FACTORY_EVENTS } from "../../definitions/events/factory-events.ts";
import { RUN_STATES } from "../../runs/rules/state.ts";
import { MAX_AHEAD, WAITING_REASONS } from "../../runs/rules/waiting.ts";
import { ref } from "../http/operation.ts";
import { attachmentsOf, boundedText, described, instant, record, text } from "./shapes.ts";

/** Every way to start a run that a version of the public API knows; this server uses some. */
export const KNOWN_SOURCES = [
  "API",
  "CLI",
  "WEB_APP",
  "CUSTOM_WEBHOOK",
  "SCHEDULED_AGENT",
  "LINEAR",
  "SLACK",
  "LOCAL",
  "GITHUB_ACTION",
  "CLOUD_MODE",
  "JIRA",
  "SELF_IMPROVEMENT",
  "GITHUB_WEBHOOK",
  "GITLAB_WEBHOOK",
  "AUTOFIX",
  "RUN_SCORER",
  "ORCHESTRATION",
  "TEAMS",
  "AZURE_DEVOPS_WEBHOOK",
  "BENCHMARK_TRIAL",
  "CREATE_BENCHMARK_TASK",
];

/** States by the words that people use for tasks. */
export const TASK_STATUSES = ["running", "failed", "blocked", "cancelled", "complete"] as const;

/** The word that stands for runs without an environment. */
export const NO_ENVIRONMENT = "empty-environment";

/** The models of the run API, under the names that the public API gives them. */
export const runModels = {
  RunState: { type: "string", enum: Object.keys(RUN_STATES), description: "The state of a run." },
  RunSourceType: {
    type: "string",
    enum: KNOWN_SOURCES,
    description: "How a run was started.",
  },
  RunCreatorInfo: record({
    "type?": { type: "string", enum: ["user", "service_account"] },
    "uid?": text,
    "display_name?": text,
    "email?": text,
    "photo_url?": text,
  }),
  RunStatusMessage: record({ message: text, "error_code?": text, "retryable?": { type: "boolean" } }),
  PageInfo: record({ has_next_page: { type: "boolean" }, "next_cursor?": text }),
  RunItem: record({
    run_id: { type: "string", format: "uuid" },
    task_id: { type: "string", format: "uuid", deprecated: true, description: "Same as run_id." },
    root_run_id: { type: "string", format: "uuid" },
    title: text,
    prompt: { type: "string", description: "The prompt given to the agent." },
    state: ref("RunState"),
    created_at: instant,
    updated_at: instant,
    "started_at?": { type: ["string", "null"], format: "date-time" },
    finished_at: { type: ["string", "null"], format: "date-time" },
    "run_time?": {
      type: "string",
      description:
        "How long the run's agents were running, in all turns together, as an ISO 8601 duration. Only of runs that have ended.",
    },
    "work_time?": {
      type: "string",
      description:
        "The part of the turns that have ended in which the agents worked, without the time in which they were waiting for a person, as an ISO 8601 duration. Not known for runs of earlier versions.",
    },
    "cost_usd?": {
      type: "number",
      description: "What the models have cost so far, as far as it is known.",
    },
    "family_cost_usd?": {
      type: "number",
      description:
        "Of the root of a family: what it and all runs that descend from it have cost so far, as far as it is known and the caller can access their factories.",
    },
    "status_message?": ref("RunStatusMessage"),
    source: ref("RunSourceType"),
    "execution_location?": { type: "string", enum: ["LOCAL", "REMOTE"] },
    "session_id?": { type: "string", format: "uuid" },
    "session_link?": { type: "string", format: "uri" },
    creator: ref("RunCreatorInfo"),
    executor: ref("RunCreatorInfo"),
    agent_config: ref("AmbientAgentConfig"),
    metadata: { type: "object", additionalProperties: text },
    "is_sandbox_running?": { type: "boolean" },
    "is_run_type_cancellable?": { type: "boolean" },
    "scope?": ref("Scope"),
    "conversation_id?": {
      type: "string",
      format: "uuid",
      description:
        "The id of the run's conversation, for /agent/conversations and for requests that continue the run.",
    },
    "trigger_url?": {
      type: "string",
      format: "uri",
      description: "The URL of the ticket, delivery, schedule or automation that started the run.",
    },
    "parent_run_id?": { type: "string", format: "uuid" },
    "parent?": ref("RunParent"),
    "checkout?": ref("RequestedCheckout"),
    "task_uid?": { type: "string", description: "The task that the run belongs to." },
    "rerun_of?": {
      type: "string",
      format: "uuid",
      description: "The run that this run repeats. It may have been deleted.",
    },
    "submitted_prompt?": { type: "string", description: "The prompt as sent in the request." },
    "error_category?": text,
    "schedule?": record({ schedule_id: text, schedule_name: text, cron_schedule: text }),
    "agent_skill?": record({
      name: text,
      "description?": text,
      "full_path?": text,
      "bundled_skill_id?": text,
    }),
    "answer?": {
      type: "string",
      description:
        "The agent's final answer: what its harness reports, the last lines of a plain command's output, or artifacts/answer.md.",
    },
    answer_json: {
      description:
        "The answer as JSON, of a run with output_schema: the last one that fits the schema. Null where there is none.",
    },
    "status_line?": {
      type: "string",
      description: "What the agent says that it is doing, as it reported last in this turn.",
    },
    "question?": ref("RunQuestion"),
    "request_usage?": ref("RequestUsage"),
    "resources?": ref("RunResources"),
    "waiting?": ref("RunWaiting"),
    "waiting_for?": {
      type: "array",
      items: { type: "string", format: "uuid" },
      description:
        "The runs that the run waits for and that have not ended. If `is_sandbox_running` is false, their ends begin the next turn of the run.",
    },
    "artifacts?": { type: "array", items: ref("Artifact") },
    "factory_uid?": text,
    "automation_id?": text,
    "delivery_id?": text,
    "webhook_uid?": text,
    "trigger?": ref("RunTrigger"),
  }),
  RunWaiting: {
    type: "object",
    additionalProperties: false,
    description: "Why a queued run waits. Only in the response for a single run.",
    required: ["reason", "message", "place"],
    properties: {
      reason: {
        type: "string",
        enum: Object.keys(WAITING_REASONS),
        description: Object.entries(WAITING_REASONS)
          .map(([reason, meaning]) => `${reason}: ${meaning}`)
          .join("; "),
      },
      message: { ...text, description: "The reason in words, with the numbers." },
      place: {
        type: "integer",
        minimum: 0,
        maximum: MAX_AHEAD,
        description: `How many runs that wait for the same reason start before this run; ${MAX_AHEAD} stands for ${MAX_AHEAD} or more.`,
      },
    },
  },
  RunTrigger: described("The event of its factory that started the run.", {
    event: { type: "string", enum: FACTORY_EVENTS },
    "run_id?": {
      type: "string",
      format: "uuid",
      description: "The run that ended or asked a person, or whose agent moved the task.",
    },
    "task_uid?": { ...text, description: "The task that moved to another stage." },
  }),
  RunAgentResponse: record({
    run_id: { type: "string", format: "uuid" },
    task_id: { type: "string", format: "uuid", deprecated: true },
    state: ref("RunState"),
    at_capacity: { type: "boolean", description: "Whether the run is waiting for another run to end." },
  }),
  ListRunsResponse: record({ runs: { type: "array", items: ref("RunItem") }, page_info: ref("PageInfo") }),
  BlockedResponse: record({ run_id: { type: "string", format: "uuid" }, state: ref("RunState") }),
  AttachmentList: attachmentsOf({ name: text, size: { type: "integer" }, mime_type: text }),
} as const;

/** Names, models, references: what is listed, filtered by and kept in indexes. */
const name = { ...boundedText(1_000), minLength: 1 };
const longText = boundedText(16 * 1024);
/** Its size is checked by itself, as that of a prompt is. */
const prompt = { type: "string", "x-text": {} };

export const WORKER_HOST =
  "Where runs execute: the name of a worker or of a pool of workers, or labels:a,b for any worker that has all of these labels. warp, local and millrace mean this server, as does an empty value.";

/** The program of a run. */
export const harness = record({
  "type?": name,
  "model_id?": name,
  "reasoning_level?": name,
  "auth_secret_name?": {
    ...name,
    description: "The secret that holds the harness's API key; the agent must be granted it.",
  },
});

export const harnessAuthSecrets = described(
  "The secrets that hold API keys of harnesses; only the one for the run's harness is used.",
  { "claude_auth_secret_name?": longText, "codex_auth_secret_name?": longText },
);

/** How an agent runs, as requests ask for it and as runs show it. */
export const configModels = {
  MCPServerConfig: {
    type: "object",
    additionalProperties: false,
    description: "Exactly one of warp_id, command and url must be set.",
    oneOf: [{ required: ["warp_id"] }, { required: ["command"] }, { required: ["url"] }],
    properties: {
      warp_id: longText,
      command: longText,
      url: longText,
      args: { type: "array", items: longText },
      env: { type: "object", additionalProperties: longText },
      headers: { type: "object", additionalProperties: longText },
      required: {
        type: "boolean",
        description: "Whether a turn fails if the server does not start. An extension of millrace.",
      },
    },
  },
  AmbientAgentConfig: described("The configuration of an agent's run. All keys are optional.", {
    "name?": name,
    "model_id?": name,
    "base_prompt?": prompt,
    "environment_id?": name,
    "runner_id?": name,
    "skill_spec?": name,
    "skills?": { type: "array", items: name, minItems: 1, maxItems: 20 },
    "mcp_servers?": { type: "object", additionalProperties: ref("MCPServerConfig") },
    "computer_use_enabled?": { type: "boolean" },
    "computer_use_model_id?": longText,
    "idle_timeout_minutes?": { type: "integer", minimum: 0, maximum: 60 },
    "priority?": {
      type: "string",
      enum: [...PRIORITIES],
      description:
        "Which waiting runs of the factory start first: interactive ones before normal ones, and these before batch. A request takes precedence over an automation, an automation over an agent, and an agent over the run that the family began with. Default normal. An extension of millrace.",
    },
    "output_schema?": {
      type: "object",
      description:
        "The JSON Schema (draft 2020-12 or draft-07, at most 32 KiB) that the answer of each turn has to fit. An extension of millrace.",
    },
    "worker_host?": {
      ...longText,
      description: WORKER_HOST,
    },
    "harness?": harness,
    "harness_auth_secrets?": harnessAuthSecrets,
    "session_sharing?": record({ "public_access?": { type: "string", enum: ["VIEWER", "EDITOR"] } }),
    "memory_stores?": {
      type: "array",
      items: record({
        uid: longText,
        access: { type: "string", enum: ["read_write", "read_only"] },
        instructions: longText,
      }),
    },
    "inference_providers?": { type: "object" },
    "credential_strategy?": { type: ["string", "null"], enum: ["CREATOR", "EXECUTOR", null] },
    "secrets?": {
      type: "array",
      items: record({ name: longText }),
    },
    "network?": {
      description:
        "What the run can reach over the network: none (only the API of this server), all, or hosts in allow. A locked list of the definition or of the server still applies. An extension of millrace.",
      anyOf: [
        { type: "string", enum: ["none", "all"] },
        record({
          allow: { type: "array", maxItems: 200, items: { ...boundedText(300), minLength: 1 } },
          "locked?": { type: "boolean" },
        }),
      ],
    },
    "budget?": {
      type: "object",
      additionalProperties: false,
      minProperties: 1,
      description:
        "What the run may use, in all turns together. The tightest limit of the request, the agent, the automation and the factory counts. A run that uses more is ended with budget_exceeded.",
      properties: {
        usdPerRun: {
          type: "number",
          exclusiveMinimum: 0,
          maximum: 1_000_000,
          description: "US dollars. The price of the model has to be known.",
        },
        tokensPerRun: {
          type: "integer",
          minimum: 1,
          maximum: 1_000_000_000_000,
          description: "Tokens of input and output. Input that was read from a cache counts as well.",
        },
      },
    },
    "experimental?": { type: "object" },
  }),
} as const;
