import { LIST_LAG_HEADER } from "../http/list-lag.ts";
import {
  answers,
  body,
  idempotencyKey,
  json,
  lastEventId,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "../http/operation.ts";
import { transcriptAnswers, transcriptParameters } from "./output/transcript-operations.ts";
import { runFilters } from "./run-filters.ts";

const runId = pathParameter("runId", "The id of the run.");
const tags = ["runs"];

const create = {
  summary: "Create a run",
  tags,
  parameters: [idempotencyKey],
  requestBody: body(ref("RunAgentRequest")),
  responses: answers({ 200: json("The run was queued.", ref("RunAgentResponse")) }),
};

/** `/agent/run` is what clients before `/agent/runs` call. */
export const runPaths: Paths = {
  "/agent/run": {
    post: {
      operationId: "createRunAlias",
      "x-required-role": "operator",
      "x-run-token": true,
      ...create,
      deprecated: true,
    },
  },
  "/agent/runs": {
    post: { operationId: "createRun", "x-required-role": "operator", "x-run-token": true, ...create },
    get: {
      operationId: "listRuns",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List runs",
      tags,
      parameters: [...pageParameters, ...runFilters],
      responses: answers({
        200: { ...json("A page of runs.", ref("ListRunsResponse")), headers: LIST_LAG_HEADER },
      }),
    },
  },
  "/agent/runs/{runId}": {
    delete: {
      operationId: "deleteRun",
      "x-required-role": "admin",
      summary: "Delete a run that has ended, including its transcript, artifacts and workspace",
      tags,
      parameters: [runId],
      responses: answers({ 204: { description: "The run was deleted." } }),
    },
    get: {
      operationId: "getRun",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get a run",
      tags,
      parameters: [
        runId,
        queryParameter(
          "wait",
          "How long the server waits for the run to end or become blocked before it responds, at most 60s.",
          {
            type: "string",
            pattern: "^(?:[0-9]{1,5}ms|[0-9]{1,2}s|1m)$",
            description: "A duration such as 30s.",
          },
        ),
      ],
      responses: answers({ 200: json("The run.", ref("RunItem")) }),
    },
  },
  "/agent/runs/{runId}/followups": {
    post: {
      operationId: "followUp",
      "x-required-role": "operator",
      "x-run-token": true,
      summary: "Send a follow-up message to a run",
      tags,
      parameters: [runId, idempotencyKey],
      requestBody: body(ref("RunFollowupRequest")),
      responses: answers({ 200: json("How the message is delivered.", ref("RunFollowupResponse")) }),
    },
  },
  "/agent/runs/{runId}/cancel": {
    post: {
      operationId: "cancelRun",
      "x-required-role": "operator",
      "x-run-token": true,
      summary: "Cancel a queued or running run",
      tags,
      parameters: [
        runId,
        queryParameter(
          "tree",
          "Whether to end all runs that descend from the run, too. Runs that wait for an answer are dismissed.",
          { type: "boolean" },
        ),
      ],
      responses: answers({
        200: json("The id of the run, as a bare JSON string.", { type: "string", format: "uuid" }),
      }),
    },
  },
  "/agent/runs/{runId}/tree": {
    get: {
      operationId: "getRunTree",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get the family of a run: its root and all runs that descend from it",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("The family, oldest run first.", ref("RunTree")) }),
    },
  },
  "/agent/runs/{runId}/handoff/attachments": {
    get: {
      operationId: "listHandoffAttachments",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the file artifacts of a run's finished turns",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("The files.", ref("HandoffAttachmentList")) }),
    },
  },
  "/agent/runs/{runId}/timeline": {
    get: {
      operationId: "getTimeline",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the events of a run, oldest first",
      tags,
      parameters: [runId, ...pageParameters],
      responses: answers({ 200: json("A page of events.", ref("RunTimeline")) }),
    },
  },
  "/agent/runs/{runId}/dismiss": {
    post: {
      operationId: "dismissRun",
      "x-required-role": "operator",
      summary: "End a blocked run without answering its question",
      tags,
      parameters: [runId],
      requestBody: body(ref("DismissRequest"), false),
      responses: answers({
        200: json(
          "The run. It is CANCELLED, unless its agent has not exited within 15 seconds.",
          ref("RunItem"),
        ),
      }),
    },
  },
  "/agent/runs/{runId}/conversation": {
    get: {
      operationId: "getConversation",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the messages of a run, oldest first",
      tags,
      parameters: [runId, ...pageParameters],
      responses: answers({ 200: json("A page of messages.", ref("Conversation")) }),
    },
  },
  "/agent/runs/{runId}/harness-usage": {
    get: {
      operationId: "getHarnessUsage",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get the model usage of a run, turn by turn",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("The usage that the harness reported.", ref("HarnessUsage")) }),
    },
  },
  "/agent/runs/{runId}/network": {
    get: {
      operationId: "getRunNetwork",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the hosts that a run reached, and those that it was refused",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("The hosts.", ref("RunNetwork")) }),
    },
  },
  "/agent/runs/{runId}/steps": {
    get: {
      operationId: "listRunSteps",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the steps of a run that its harness reported, oldest first",
      tags,
      parameters: [runId, ...pageParameters],
      responses: answers({ 200: json("A page of steps.", ref("RunSteps")) }),
    },
  },
  "/agent/runs/{runId}/attachments": {
    get: {
      operationId: "listAttachments",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the attachments of a run",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("The files.", ref("AttachmentList")) }),
    },
  },
  "/agent/runs/{runId}/attachments/{name}": {
    get: {
      operationId: "getAttachment",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Download an attachment of a run, byte for byte",
      tags,
      parameters: [runId, pathParameter("name", "The name of the file.")],
      responses: answers({
        200: {
          description: "The bytes, with the file's own media type.",
          content: { "*/*": { schema: {} } },
        },
      }),
    },
  },
  "/agent/runs/{runId}/transcript": {
    get: {
      operationId: "getTranscript",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get the agent's output, as text or as a stream of events",
      tags,
      parameters: [runId, lastEventId, ...transcriptParameters],
      responses: answers(transcriptAnswers),
    },
  },
};
