import {
  answers,
  body,
  json,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "./operation.ts";
import { text } from "./shapes.ts";

const runId = pathParameter("runId", "The id of the run.");
const tags = ["runs"];

const create = {
  summary: "Start a run",
  tags,
  requestBody: body(ref("RunAgentRequest")),
  responses: answers({ 200: json("The run waits to start.", ref("RunAgentResponse")) }),
};

export const runPaths: Paths = {
  "/agent/run": { post: { operationId: "createRunAlias", ...create, deprecated: true } },
  "/agent/runs": {
    post: { operationId: "createRun", ...create },
    get: {
      operationId: "listRuns",
      summary: "List runs, the last updated first",
      tags,
      parameters: [
        ...pageParameters,
        queryParameter("state", "Only runs in one of these states.", {
          type: "array",
          items: ref("RunState"),
        }),
      ],
      responses: answers({ 200: json("A page of runs.", ref("ListRunsResponse")) }),
    },
  },
  "/agent/runs/{runId}": {
    get: {
      operationId: "getRun",
      summary: "Get a run",
      tags,
      parameters: [
        runId,
        queryParameter("wait", "How long to wait for the run to end, for example 30s.", text),
      ],
      responses: answers({ 200: json("The run.", ref("RunItem")) }),
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
      parameters: [
        runId,
        queryParameter("follow", "Stream Server-Sent Events until the run ends.", {
          type: "boolean",
          default: false,
        }),
      ],
      responses: answers({
        200: {
          description: "The output so far, or events: output {text, stream, turn, at}, then end {state}.",
          content: {
            "text/plain; charset=utf-8": { schema: { type: "string" } },
            "text/event-stream": { schema: { type: "string" } },
          },
        },
      }),
    },
  },
};
