import { answers, idempotencyKey, json, type Paths, pathParameter, ref } from "../../http/operation.ts";

const parameters = [pathParameter("runId", "The id of the run.")];
const tags = ["runs"];

/** Repeating a run, and what that would start. */
export const runAgainPaths: Paths = {
  "/agent/runs/{runId}/run-again": {
    get: {
      operationId: "planRunAgain",
      "x-required-role": "operator",
      summary: "Show what running an ended run again would start",
      tags,
      parameters,
      responses: answers({ 200: json("The run that would be created.", ref("RunAgainPlan")) }),
    },
    post: {
      operationId: "runAgain",
      "x-required-role": "operator",
      summary: "Run an ended run again, with its delivery or request",
      tags,
      parameters: [...parameters, idempotencyKey],
      responses: answers({ 200: json("The new run was queued.", ref("RunAgentResponse")) }),
    },
  },
};
