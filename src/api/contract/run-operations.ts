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
} from "./operation.ts";
import { runFilters } from "./run-filters.ts";
import { transcriptAnswers, transcriptParameters } from "./transcript.ts";

const runId = pathParameter("runId", "The id of the run.");
const artifactUid = pathParameter("artifactUid", "The id of the artifact.");
const tags = ["runs"];

const create = {
  summary: "Start a run",
  tags,
  parameters: [idempotencyKey],
  requestBody: body(ref("RunAgentRequest")),
  responses: answers({ 200: json("The run waits to start.", ref("RunAgentResponse")) }),
};

/** `/agent/run` is what clients before `/agent/runs` call. */
export const runPaths: Paths = {
  "/agent/run": { post: { operationId: "createRunAlias", ...create, deprecated: true } },
  "/agent/runs": {
    post: { operationId: "createRun", ...create },
    get: {
      operationId: "listRuns",
      summary: "List runs",
      tags,
      parameters: [...pageParameters, ...runFilters],
      responses: answers({ 200: json("A page of runs.", ref("ListRunsResponse")) }),
    },
  },
  "/agent/runs/{runId}": {
    delete: {
      operationId: "deleteRun",
      summary: "Delete a run that has ended, with its transcript, its artifacts and its workspace",
      tags,
      parameters: [runId],
      responses: answers({ 204: { description: "It is gone." } }),
    },
    get: {
      operationId: "getRun",
      summary: "Get a run",
      tags,
      parameters: [
        runId,
        queryParameter(
          "wait",
          "Answer when the run has ended or is blocked, or after this long: at most 60s.",
          {
            type: "string",
            pattern: "^(?:[0-9]{1,5}ms|[0-9]{1,2}s|1m)$",
            description: "A time such as 30s.",
          },
        ),
      ],
      responses: answers({ 200: json("The run.", ref("RunItem")) }),
    },
  },
  "/agent/runs/{runId}/followups": {
    post: {
      operationId: "followUp",
      summary: "Steer or continue a run with a message",
      tags,
      parameters: [runId, idempotencyKey],
      requestBody: body(ref("RunFollowupRequest")),
      responses: answers({ 200: json("What becomes of the message.", ref("RunFollowupResponse")) }),
    },
  },
  "/agent/runs/{runId}/cancel": {
    post: {
      operationId: "cancelRun",
      summary: "Cancel a run that has not ended",
      tags,
      parameters: [runId],
      responses: answers({
        200: json("The id of the run, a bare text.", { type: "string", format: "uuid" }),
      }),
    },
  },
  "/agent/runs/{runId}/artifacts": {
    post: {
      operationId: "reportArtifact",
      summary: "Report what the run has made, with the token of the run",
      tags,
      parameters: [runId],
      requestBody: body(ref("ArtifactReport")),
      responses: answers({ 201: json("The artifact.", ref("Artifact")) }),
    },
  },
  "/agent/runs/{runId}/blocked": {
    post: {
      operationId: "reportBlocked",
      summary: "Say that the run needs an answer from a person, with the token of the run",
      tags,
      parameters: [runId],
      requestBody: body(ref("BlockedReport")),
      responses: answers({ 200: json("The run is BLOCKED.", ref("BlockedResponse")) }),
    },
  },
  "/agent/artifacts/{artifactUid}": {
    get: {
      operationId: "getArtifact",
      summary: "Get an artifact of a run, and of a file where to download it",
      tags,
      parameters: [artifactUid],
      responses: answers({ 200: json("The artifact.", ref("ArtifactDetails")) }),
    },
  },
  "/agent/artifacts/{artifactUid}/download": {
    get: {
      operationId: "downloadArtifact",
      summary: "Get a file that a run has left, byte for byte",
      tags,
      parameters: [artifactUid],
      responses: answers({
        200: {
          description: "The bytes, with the media type that the name of the file suggests.",
          content: { "*/*": { schema: {} } },
        },
      }),
    },
  },
  "/agent/artifacts/{artifactUid}/file": {
    get: {
      operationId: "downloadByLink",
      summary: "Download a file by a link that expires; it needs no key",
      tags,
      security: [],
      parameters: [
        artifactUid,
        {
          ...queryParameter("expires", "When the link expires, in seconds since 1970.", {
            type: "integer",
            minimum: 0,
          }),
          required: true,
        },
        {
          ...queryParameter("signature", "Proves that this server made the link.", { type: "string" }),
          required: true,
        },
      ],
      responses: answers({
        200: {
          description: "The bytes, with the media type that the name of the file suggests.",
          content: { "*/*": { schema: {} } },
        },
      }),
    },
  },
  "/agent/runs/{runId}/handoff/attachments": {
    get: {
      operationId: "listHandoffAttachments",
      summary: "List the files that the finished turns of a run have left",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("The files.", ref("HandoffAttachmentList")) }),
    },
  },
  "/agent/runs/{runId}/timeline": {
    get: {
      operationId: "getTimeline",
      summary: "Get what has happened to a run, oldest first",
      tags,
      parameters: [runId, ...pageParameters],
      responses: answers({ 200: json("A page of events.", ref("RunTimeline")) }),
    },
  },
  "/agent/runs/{runId}/harness-usage": {
    get: {
      operationId: "getHarnessUsage",
      summary: "Get what the models of a run were used for, turn by turn",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("What its harness has told.", ref("HarnessUsage")) }),
    },
  },
  "/agent/runs/{runId}/attachments": {
    get: {
      operationId: "listAttachments",
      summary: "List the files that a run was given",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("The files.", ref("AttachmentList")) }),
    },
  },
  "/agent/runs/{runId}/attachments/{name}": {
    get: {
      operationId: "getAttachment",
      summary: "Get a file that a run was given, byte for byte",
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
      summary: "Get what the agent wrote, as text or as a stream of events",
      tags,
      parameters: [runId, lastEventId, ...transcriptParameters],
      responses: answers(transcriptAnswers),
    },
  },
};
