import {
  answers,
  body,
  idempotencyKey,
  json,
  lastEventId,
  type Paths,
  pathParameter,
  ref,
} from "./operation.ts";
import { transcriptAnswers, transcriptParameters } from "./transcript.ts";

const conversationId = pathParameter("conversationId", "The id of the conversation.");
const tags = ["runs"];

/** Runs by the conversation or the session that clients know them by. */
export const conversationPaths: Paths = {
  "/agent/sessions/{sessionUuid}/redirect": {
    get: {
      operationId: "checkSessionRedirect",
      summary: "Get the conversation to read instead of a session that has ended",
      tags,
      parameters: [pathParameter("sessionUuid", "The id of the session.")],
      responses: answers({ 200: json("The conversation, if any.", ref("SessionRedirect")) }),
    },
  },
  "/agent/conversations/{conversationId}/redirect": {
    get: {
      operationId: "checkConversationRedirect",
      summary: "Get the live session of a conversation; it needs no key",
      tags,
      security: [],
      parameters: [conversationId],
      responses: answers({ 200: json("The session, if any.", ref("ConversationRedirect")) }),
    },
  },
  "/agent/conversations/{conversationId}/transcript": {
    get: {
      operationId: "getConversationTranscript",
      summary: "Get what the agent of a conversation wrote",
      tags,
      parameters: [conversationId, lastEventId, ...transcriptParameters],
      responses: answers(transcriptAnswers),
    },
  },
  "/agent/conversations/{conversationId}/followups": {
    post: {
      operationId: "followUpConversation",
      summary: "Steer or continue a conversation with a message",
      tags,
      parameters: [conversationId, idempotencyKey],
      requestBody: body(ref("RunFollowupRequest")),
      responses: answers({
        200: json("What becomes of the message.", ref("ConversationFollowupResponse")),
      }),
    },
  },
};
