import { ref } from "../../http/operation.ts";
import { instant, text } from "../../http/shapes.ts";

/** What happens to runs, under the names that the public API gives it. */
export const timelineModels = {
  RunTimeline: {
    type: "object",
    additionalProperties: false,
    required: ["events", "page_info"],
    properties: { events: { type: "array", items: ref("RunEvent") }, page_info: ref("PageInfo") },
  },
  RunEvent: {
    type: "object",
    additionalProperties: false,
    required: ["event_uuid", "run_id", "event_type", "occurred_at"],
    properties: {
      event_uuid: { type: "string", format: "uuid" },
      run_id: { type: "string", format: "uuid" },
      event_type: text,
      occurred_at: instant,
      payload: {
        type: "object",
        additionalProperties: false,
        description:
          "The turn in which the event happened, and the ids of its messages in the conversation. agent_started also has the agent's isolation; artifact_contains_secret also has the file; oz_run_cancelled of a dismissed run also has who dismissed it, and the reason. trigger_refused has the automation that the run did not start, and the reason. network_refused has the host and the port that a program of the run was not connected to, and the reason. mcp_server_failed has the name of an MCP server that did not start, and the reason.",
        properties: {
          turn: { type: "integer", minimum: 1 },
          sandbox: { type: "string", enum: ["bwrap", "container", "none"] },
          weaknesses: {
            type: "array",
            items: text,
            description: "What is not isolated on this server, one sentence per item.",
          },
          artifact_uid: { type: "string", format: "uuid" },
          filepath: text,
          message_id: {
            ...text,
            description:
              "The prompt of oz_run_created, the question of oz_run_blocked, or the answer of an end event.",
          },
          message_ids: {
            type: "array",
            items: text,
            description:
              "The messages that the agent of this turn was given, of agent_started; the messages that it may not have read, and that the next turn gets again, of messages_unconfirmed.",
          },
          run_ids: {
            type: "array",
            items: text,
            description: "The runs that the run waits for, of oz_run_waiting.",
          },
          by: { ...text, description: "Who dismissed the run." },
          reason: {
            ...text,
            description:
              "Why the run was dismissed, or why start_refused or trigger_refused did not start a run.",
          },
          run_id: { type: "string", format: "uuid", description: "The run that child_started started." },
          agent: { ...text, description: "The agent of child_started or start_refused." },
          name: { ...text, description: "Of mcp_server_failed: the MCP server." },
          host: { ...text, description: "Of network_refused: the host." },
          port: { type: "integer", description: "Of network_refused: the port." },
          automation: { ...text, description: "Of trigger_refused: the automation that was not started." },
          audience: {
            ...text,
            description: "Of identity_token_issued: the audience of the identity tokens, once for each.",
          },
        },
      },
    },
  },
} as const;
