import {
  answers,
  body,
  idempotencyKey,
  json,
  lastEventId,
  type Paths,
  pageParameters,
  pathParameter,
  ref,
} from "../../http/operation.ts";
import { transcriptAnswers, transcriptParameters } from "../output/transcript-operations.ts";

const conversationId = pathParameter("conversationId", "The id of the conversation.");
const tags = ["runs"];

/** Runs by the conversation or the session that clients know them by. */
export const conversationPaths: Paths = {
  "/agent/sessions/{sessionUuid}/redirect": {
    get: {
      operationId: "checkSessionRedirect",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary:
        "Get the conversation of a session that has ended; without a key, the answer is empty for every id",
      tags,
      parameters: [pathParameter("sessionUuid", "The id of the session.")],
      responses: answers({ 200: json("The conversation, if any.", ref("SessionRedirect")) }),
    },
  },
  "/agent/conversations/{conversationId}": {
    get: {
      operationId: "getConversationById",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the messages of a conversation, oldest first",
      tags,
      parameters: [conversationId, ...pageParameters],
      responses: answers({ 200: json("A page of messages.", ref("Conversation")) }),
    },
  },
  "/agent/conversations/{conversationId}/redirect": {
    get: {
      operationId: "checkConversationRedirect",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get the live session of a conversation; without a key, the answer is empty for every id",
      tags,
      parameters: [conversationId],
      responses: answers({ 200: json("The session, if any.", ref("ConversationRedirect")) }),
    },
  },
  "/agent/conversations/{conversationId}/transcript": {
    get: {
      operationId: "getConversationTranscript",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get the agent's output in a conversation",
      tags,
      parameters: [conversationId, lastEventId, ...transcriptParameters],
      responses: answers(transcriptAnswers),
    },
  },
  "/agent/conversations/{conversationId}/followups": {
    post: {
      operationId: "followUpConversation",
      "x-required-role": "operator",
      summary: "Send a follow-up message to a conversation",
      tags,
      parameters: [conversationId, idempotencyKey],
      requestBody: body(ref("RunFollowupRequest")),
      responses: answers({
        200: json("How the message is delivered.", ref("ConversationFollowupResponse")),
      }),
    },
  },
};
