import { ref } from "../http/operation.ts";
import { text } from "../http/shapes.ts";

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
