const FOLLOW_UP_OUTCOMES = ["live_session", "queued_prompt", "handoff_execution", "queue_pending"];

/** What is answered about the conversation of a run, under the names that the public API gives it. */
export const conversationModels = {
  RunFollowupResponse: {
    type: "object",
    additionalProperties: false,
    required: ["followup_id", "outcome"],
    properties: {
      followup_id: {
        type: ["string", "null"],
        description:
          "The id of the follow-up; null for a message that was added to the prompt of a queued run.",
      },
      outcome: { type: "string", enum: FOLLOW_UP_OUTCOMES },
    },
  },
  ConversationFollowupResponse: {
    type: "object",
    additionalProperties: false,
    required: ["followup_id", "outcome", "run_id"],
    properties: {
      followup_id: {
        type: ["string", "null"],
        description:
          "The id of the follow-up; null for a message that was added to the prompt of a queued run.",
      },
      outcome: { type: "string", enum: FOLLOW_UP_OUTCOMES },
      run_id: { type: "string", format: "uuid", description: "The run that received the message." },
    },
  },
  SessionRedirect: {
    type: "object",
    additionalProperties: false,
    properties: {
      conversation_id: {
        type: "string",
        format: "uuid",
        description: "The conversation in which to read the session; omitted while its agent is working.",
      },
    },
  },
  ConversationRedirect: {
    type: "object",
    additionalProperties: false,
    properties: {
      session_id: {
        type: "string",
        format: "uuid",
        description: "The live session of the conversation; omitted if there is none.",
      },
    },
  },
} as const;
