import { answers, json, type Paths, pathParameter, ref } from "../../http/operation.ts";

const runId = pathParameter("runId", "The id of the run.");

/** What a run is about, where that are deliveries. */
export const runDeliveryPaths: Paths = {
  "/agent/runs/{runId}/deliveries": {
    get: {
      operationId: "listRunDeliveries",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the newest 2,000 deliveries that a run is about, oldest first",
      tags: ["runs"],
      parameters: [runId],
      responses: answers({
        200: json(
          "At most 2,000 deliveries, oldest first. Of a run with more, these are the newest.",
          ref("RunDeliveries"),
        ),
      }),
    },
  },
};
