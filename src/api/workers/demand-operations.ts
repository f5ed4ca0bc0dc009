import { answers, json, type Paths, queryParameter, ref } from "../http/operation.ts";
import { text } from "../http/shapes.ts";

/** Before the operations of single workers: `demand` is not the id of one. */
export const workerDemandPaths: Paths = {
  "/workers/demand": {
    get: {
      operationId: "getWorkerDemand",
      "x-required-role": "viewer",
      summary: "Count waiting and executing runs by the worker that they demand, for autoscalers",
      tags: ["workers"],
      parameters: [
        queryParameter(
          "worker_host",
          "Only runs with this worker host: a name, labels:a,b in any order, or local for runs that name no worker.",
          { type: "string", minLength: 1, maxLength: 2_200 },
        ),
      ],
      responses: answers({ 200: json("The counts.", ref("WorkerDemand")) }),
    },
  },
};

const counts = {
  waiting: {
    type: "integer",
    minimum: 0,
    description: "Queued runs, including those that a pause or a limit holds.",
  },
  executing: { type: "integer", minimum: 0, description: "Runs that a worker or the server executes." },
  oldest_waiting_seconds: {
    type: "integer",
    minimum: 0,
    description: "How long the oldest of the waiting runs has been waiting; 0 if no run waits.",
  },
};
const required = ["waiting", "executing", "oldest_waiting_seconds"];

export const workerDemandModels = {
  WorkerDemand: {
    type: "object",
    additionalProperties: false,
    required: [...required, "demands"],
    description: "The totals, and the counts of each combination of demands.",
    properties: {
      ...counts,
      demands: { type: "array", items: ref("WorkerDemandItem") },
    },
  },
  WorkerDemandItem: {
    type: "object",
    additionalProperties: false,
    required: ["worker_host", ...required],
    properties: {
      worker_host: {
        ...text,
        description: "The name of a worker or a pool, or labels:a,b; local for runs that name no worker.",
      },
      os: { ...text, description: "The operating system that the runner of the runs asks for." },
      arch: { ...text, description: "The processor architecture that the runner asks for." },
      vcpus: { type: "number", description: "The number of vCPUs that the runner asks for." },
      memory_gb: { type: "number", description: "The memory that the runner asks for." },
      ...counts,
    },
  },
};
