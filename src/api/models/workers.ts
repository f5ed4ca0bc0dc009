import { ref } from "../http/operation.ts";
import { count, instant, listOf, optionalInstant, optionalText, record, text } from "./shapes.ts";

const labels = { type: "array", items: text };

const optional = (model: string) => ({ anyOf: [ref(model), { type: "null" }] });

const platform = {
  description: "The operating system and the processor architecture.",
  type: "object",
  additionalProperties: false,
  required: ["os", "arch"],
  properties: { os: text, arch: text },
};

const shape = {
  description: "The processors and the memory of the machine.",
  type: "object",
  additionalProperties: false,
  required: ["vcpus", "memory_gb"],
  properties: { vcpus: { type: "number" }, memory_gb: { type: "number" } },
};

/** What a process of a worker reports of itself. */
const reported = {
  labels: {
    ...labels,
    description:
      "The labels that count: those that the worker was created with; if it has none, those that the process reports.",
  },
  version: { ...optionalText, description: "The version of millrace." },
  platform: optional("WorkerPlatform"),
  shape: optional("WorkerShape"),
  sandbox: { ...optionalText, description: "How agents are isolated, such as bwrap or container." },
};

const ofWorker = {
  id: text,
  name: { ...text, description: "Workers with the same name form a pool." },
  state: {
    type: "string",
    enum: ["connected", "draining", "offline"],
    description:
      "draining: connected, but gets no new turns. offline: no process is connected with the worker's token.",
  },
  ...reported,
  granted_labels: {
    ...labels,
    description:
      "The labels that the worker was created with. If there are any, reported labels are ignored.",
  },
  factories: {
    type: ["array", "null"],
    items: text,
    description: "UIDs of the factories whose runs the worker may execute; null for every run.",
  },
  prefix: { ...text, description: "The first characters of the token, to identify it." },
  created_by: ref("RunCreatorInfo"),
  created_at: instant,
  draining_since: optionalInstant,
  connected_at: {
    ...optionalInstant,
    description: "When the first of the connected processes has connected; null if none is connected.",
  },
  last_seen_at: { ...optionalInstant, description: "The last contact; null if no process ever connected." },
  concurrency: {
    ...count,
    description: "The maximum number of turns that the connected processes execute at the same time.",
  },
  executing: { ...count, description: "How many turns they execute." },
  runs: {
    type: "array",
    items: ref("WorkerRun"),
    description: "The runs whose turns the worker has at the moment, the oldest first; at most 100.",
  },
  processes: {
    type: "array",
    items: ref("WorkerProcess"),
    description:
      "The processes that are connected with the worker's token. version, platform, shape and sandbox of the worker are those of the process that was seen last.",
  },
};

const processProperties = {
  uid: text,
  ...reported,
  concurrency: count,
  executing: count,
  connected_at: instant,
  last_seen_at: instant,
};

const objectOf = (properties: Record<string, object>) => record(properties);

export const workerModels = {
  Worker: objectOf(ofWorker),
  WorkerProcess: objectOf(processProperties),
  WorkerRun: objectOf({
    run_id: text,
    title: text,
    process: { ...text, description: "The uid of the process that has the turn." },
  }),
  WorkerPlatform: platform,
  WorkerShape: shape,
  WorkerList: listOf("workers", "Worker"),
  NewWorker: record({
    name: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description:
        "1 to 63 letters, digits, dots, underscores and hyphens. The workerHost of a definition or a request refers to it. The names warp, local and millrace refer to the server itself.",
    },
    "labels?": {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 200 },
      maxItems: 100,
      description:
        "Up to 32 labels of 1 to 63 lower-case letters, digits, dots, underscores and hyphens. If there are any, the labels that processes report are ignored: a worker whose token is stolen cannot get the runs of other labels.",
    },
    "factories?": {
      type: ["array", "null"],
      items: text,
      minItems: 1,
      maxItems: 1_000,
      description:
        "Names or UIDs of the factories whose runs the worker may execute; omitted or null for every run.",
    },
  }),
  CreatedWorker: objectOf({
    ...ofWorker,
    token: {
      type: "string",
      description: "The token with which `millrace worker` connects, shown only once.",
    },
  }),
  ConnectedWorkerList: objectOf({ workers: { type: "array", items: ref("ConnectedWorker") } }),
  ConnectedWorker: objectOf({
    worker_host: { ...text, description: "The name of a worker or of a pool." },
    connection_count: { ...count, description: "How many processes are connected under this name." },
    connected_at: { ...instant, description: "When the first of them has connected." },
    last_seen_at: instant,
  }),
} as const;

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
