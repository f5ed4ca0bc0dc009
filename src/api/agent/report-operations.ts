import {
  answers,
  body,
  json,
  optionalIfMatch,
  type Paths,
  pathParameter,
  queryParameter,
  ref,
} from "../http/operation.ts";

const runId = pathParameter("runId", "The id of the run.");
const tags = ["runs"];

/** What only the agent of a run does: everybody else steers it. */
export const reportPaths: Paths = {
  "/agent/runs/{runId}/blocked": {
    post: {
      operationId: "reportBlocked",
      "x-run-token": true,
      summary: "Report that the run needs an answer from a person",
      tags,
      parameters: [runId],
      requestBody: body(ref("BlockedReport")),
      responses: answers({ 200: json("The run is BLOCKED.", ref("BlockedResponse")) }),
    },
  },
  "/agent/runs/{runId}/answer": {
    post: {
      operationId: "reportAnswer",
      "x-run-token": true,
      summary: "Report the final answer of the turn",
      tags,
      parameters: [runId],
      requestBody: body(ref("AnswerReport")),
      responses: answers({ 200: json("The answer was stored.", ref("ReportReceipt")) }),
    },
  },
  "/agent/runs/{runId}/status": {
    post: {
      operationId: "reportStatus",
      "x-run-token": true,
      summary: "Report what the agent is doing",
      tags,
      parameters: [runId],
      requestBody: body(ref("StatusReport")),
      responses: answers({ 200: json("The status line was stored.", ref("ReportReceipt")) }),
    },
  },
  "/agent/runs/{runId}/artifacts": {
    post: {
      operationId: "reportArtifact",
      "x-run-token": true,
      summary: "Report an artifact of the run",
      tags,
      parameters: [runId],
      requestBody: body(ref("ArtifactReport")),
      responses: answers({ 201: json("The artifact.", ref("Artifact")) }),
    },
  },
  "/agent/runs/{runId}/artifact-files": {
    post: {
      operationId: "reportArtifactFile",
      "x-run-token": true,
      summary: "Store a file as an artifact of the run before its turn ends",
      tags,
      parameters: [runId],
      requestBody: body(ref("ArtifactFileReport")),
      responses: answers({ 201: json("The artifact.", ref("Artifact")) }),
    },
  },
  "/agent/runs/{runId}/note": {
    get: {
      operationId: "getNote",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get the note that the run shares with the runs of its family",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("The note. Its ETag is that of the note.", ref("FamilyNote")) }),
    },
    put: {
      operationId: "putNote",
      "x-run-token": true,
      summary: "Change the note that the run shares with the runs of its family",
      tags,
      parameters: [runId, optionalIfMatch],
      requestBody: body(ref("FamilyNoteChange")),
      responses: answers({ 200: json("The note.", ref("FamilyNote")) }),
    },
  },
  "/agent/runs/{runId}/delivery": {
    get: {
      operationId: "getRunDelivery",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get a delivery of the run, or of the run that its family began with",
      tags,
      parameters: [
        runId,
        queryParameter(
          "delivery_id",
          "A delivery of the run, or of the run that its family began with; if omitted, the newest one of the run, or of the run that its family began with if the run has none.",
          { type: "string" },
        ),
      ],
      responses: answers({ 200: json("The delivery with its payload.", ref("RunDelivery")) }),
    },
  },
  "/agent/runs/{runId}/agents": {
    get: {
      operationId: "listRunAgents",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the agents of the run's factory, and which of them the run may start",
      tags,
      parameters: [runId],
      responses: answers({ 200: json("The agents.", ref("RunAgents")) }),
    },
  },
};
