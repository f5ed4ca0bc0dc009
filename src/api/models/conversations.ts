import { URGENCIES } from "../../runs/rules/agent-report.ts";
import { ref } from "../http/operation.ts";
import { described, instant, record, text } from "./shapes.ts";

const FOLLOW_UP_OUTCOMES = ["live_session", "queued_prompt", "handoff_execution", "queue_pending"];

/** What is answered about the conversation of a run, under the names that the public API gives it. */
export const conversationModels = {
  RunFollowupResponse: record({
    followup_id: {
      type: ["string", "null"],
      description:
        "The id of the follow-up; null for a message that was added to the prompt of a queued run.",
    },
    outcome: { type: "string", enum: FOLLOW_UP_OUTCOMES },
  }),
  Conversation: record({
    conversation_id: { type: "string", format: "uuid", description: "Same as the id of the run." },
    steps: {
      type: "array",
      items: ref("ConversationStep"),
      description: "The turns of this page's messages.",
    },
    messages: { type: "array", items: ref("RunMessage") },
    page_info: ref("PageInfo"),
  }),
  ConversationStep: record({
    id: { type: "string" },
    "description?": { type: "string" },
    messages: { type: "array", items: ref("ConversationMessage") },
    steps: { type: "array", items: ref("ConversationStep"), description: "Always empty." },
  }),
  ConversationMessage: record({
    role: { type: "string", enum: ["user", "assistant"] },
    content: {
      type: "array",
      items: record({ type: { type: "string", enum: ["text"] }, text: { type: "string" } }),
    },
    "timestamp?": instant,
    "message_ids?": { type: "array", items: { type: "string", format: "uuid" } },
  }),
  RunMessage: record({
    id: {
      type: "string",
      format: "uuid",
      description: "The id of the message; for the prompt, the id of the run.",
    },
    turn: {
      type: "integer",
      minimum: 1,
      description:
        "The turn that the message belongs to; if it waits for the next turn, the number of that turn.",
    },
    time: instant,
    role: { type: "string", enum: ["user", "agent"] },
    kind: {
      type: "string",
      enum: ["prompt", "message", "question", "answer", "report"],
      description:
        "An answer with the role user answers a question of the agent. An answer with the role agent is the agent's final answer in its turn. A report is a link or a plan.",
    },
    author: record({
      type: { type: "string", enum: ["key", "agent", "automation", "schedule"] },
      name: {
        type: "string",
        description: "The owner of the key, or the name of the agent, automation or schedule.",
      },
      "run_id?": {
        type: "string",
        format: "uuid",
        description: "The run whose agent has sent the message, if that is another run.",
      },
    }),
    text: { type: "string", description: "The text; in messages of the agent, secrets are masked." },
    "choices?": {
      type: "array",
      items: { type: "string" },
      description: "The answers that a question offers.",
    },
    "urgency?": { type: "string", enum: [...URGENCIES], description: "The urgency of a question." },
    state: {
      type: "string",
      enum: ["given", "waiting", "withdrawn"],
      description:
        "Whether the agent was given the message, the message waits for the agent or its next turn, or the run was cancelled first. Messages of the agent are given.",
    },
    "repeated?": {
      type: "boolean",
      description:
        "True if the agent of an earlier turn may already have read the message: that turn ended before the agent wrote anything after the message.",
    },
  }),
  DismissRequest: record({
    "reason?": {
      type: "string",
      pattern: "\\S",
      maxLength: 1_000,
      "x-text": {},
      description: "Why the run is ended, at most 1,000 characters. Readers of the run can see it.",
    },
  }),
  ConversationFollowupResponse: record({
    followup_id: {
      type: ["string", "null"],
      description:
        "The id of the follow-up; null for a message that was added to the prompt of a queued run.",
    },
    outcome: { type: "string", enum: FOLLOW_UP_OUTCOMES },
    run_id: { type: "string", format: "uuid", description: "The run that received the message." },
  }),
  SessionRedirect: record({
    "conversation_id?": {
      type: "string",
      format: "uuid",
      description: "The conversation in which to read the session; omitted while its agent is working.",
    },
  }),
  ConversationRedirect: record({
    "session_id?": {
      type: "string",
      format: "uuid",
      description: "The live session of the conversation; omitted if there is none.",
    },
  }),
} as const;

/** What happens to runs, under the names that the public API gives it. */
export const timelineModels = {
  RunTimeline: record({ events: { type: "array", items: ref("RunEvent") }, page_info: ref("PageInfo") }),
  RunEvent: record({
    event_uuid: { type: "string", format: "uuid" },
    run_id: { type: "string", format: "uuid" },
    event_type: text,
    occurred_at: instant,
    "payload?": described(
      "The turn in which the event happened, and the ids of its messages in the conversation. agent_started also has the agent's isolation; artifact_contains_secret also has the file; oz_run_cancelled of a dismissed run also has who dismissed it, and the reason. trigger_refused has the automation that the run did not start, and the reason. network_refused has the host and the port that a program of the run was not connected to, and the reason. mcp_server_failed has the name of an MCP server that did not start, and the reason. worker_container_ready has how the setup went. answer_refused has what was wrong with an answer of a run with output_schema.",
      {
        "turn?": { type: "integer", minimum: 1 },
        "sandbox?": { type: "string", enum: ["bwrap", "container", "none"] },
        "weaknesses?": {
          type: "array",
          items: text,
          description: "What is not isolated on this server, one sentence per item.",
        },
        "artifact_uid?": { type: "string", format: "uuid" },
        "filepath?": text,
        "message_id?": {
          ...text,
          description:
            "The prompt of oz_run_created, the question of oz_run_blocked, or the answer of an end event.",
        },
        "message_ids?": {
          type: "array",
          items: text,
          description:
            "The messages that the agent of this turn was given, of agent_started; the messages that it may not have read, and that the next turn gets again, of messages_unconfirmed.",
        },
        "run_ids?": {
          type: "array",
          items: text,
          description: "The runs that the run waits for, of oz_run_waiting.",
        },
        "by?": { ...text, description: "Who dismissed the run." },
        "reason?": {
          ...text,
          description:
            "Why the run was dismissed, why start_refused or trigger_refused did not start a run, or the limit of family_budget_used_up.",
        },
        "run_id?": {
          type: "string",
          format: "uuid",
          description:
            "The run that child_started started, or the run of the family that used the last of the money of family_budget_used_up.",
        },
        "setup?": described(
          "Of worker_container_ready: how the files came about that the setup commands make. Omitted if there are no setup commands, or if the server keeps no snapshots.",
          {
            restored: {
              type: "boolean",
              description: "Whether they were restored from a snapshot; otherwise the commands ran.",
            },
            "made_at?": { ...instant, description: "When the snapshot was made." },
            "seconds?": { type: "number", description: "How long restoring it took." },
            "reason?": { ...text, description: "Why the commands ran." },
          },
        ),
        "agent?": { ...text, description: "The agent of child_started or start_refused." },
        "name?": { ...text, description: "Of mcp_server_failed: the MCP server." },
        "host?": { ...text, description: "Of network_refused: the host." },
        "port?": { type: "integer", description: "Of network_refused: the port." },
        "automation?": { ...text, description: "Of trigger_refused: the automation that was not started." },
        "audience?": {
          ...text,
          description: "Of identity_token_issued: the audience of the identity tokens, once for each.",
        },
      },
    ),
  }),
} as const;
