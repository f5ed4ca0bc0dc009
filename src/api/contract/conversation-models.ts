const FOLLOW_UP_OUTCOMES = ["live_session", "queued_prompt", "handoff_execution", "queue_pending"];

/** What is answered about the conversation of a run, under the names that the public API gives it. */
export const conversationModels = {
  RunFollowupResponse: {
    type: "object",
    additionalProperties: false,
    required: ["followup_id", "outcome"],
    properties: {
      followup_id: { type: ["string", "null"], description: "Null for a message that joined the prompt." },
      outcome: { type: "string", enum: FOLLOW_UP_OUTCOMES },
    },
  },
  ConversationFollowupResponse: {
    type: "object",
    additionalProperties: false,
    required: ["followup_id", "outcome", "run_id"],
    properties: {
      followup_id: { type: ["string", "null"], description: "Null for a message that joined the prompt." },
      outcome: { type: "string", enum: FOLLOW_UP_OUTCOMES },
      run_id: { type: "string", format: "uuid", description: "The run that got the message." },
    },
  },
  SessionRedirect: {
    type: "object",
    additionalProperties: false,
    properties: {
      conversation_id: {
        type: "string",
        format: "uuid",
        description: "Where to read the session; left out while its agent is at work.",
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
        description: "The live session of the conversation; left out when there is none.",
      },
    },
  },
} as const;
