import type { Offer } from "../../../workers/protocol/offer.ts";

/** The version of what a worker and the program of its backend say to each other. */
export const BACKEND_VERSION = 1;

/** What the program is asked to do, as its last argument. */
export type BackendVerb = "start" | "status" | "cancel";

/** A machine, or what else executes one turn: a job of the backend. */
export interface JobRequest {
  version: number;
  /** The same job has the same id, however often it is asked for. */
  id: string;
  run_id: string;
  turn: number;
  /** The first is 1. */
  attempt: number;
}

export interface StartRequest extends JobRequest {
  factory: string | null;
  worker_host: string;
  platform: Offer["platform"];
  shape: { vcpus: number; memory_gb: number } | null;
  image: string | null;
  waiting_since: string;
  server: string;
  /** What the job executes; the token file and the data folder are to be added. */
  command: string[];
}

/** Asked for `status` and `cancel`. */
export interface HandleRequest extends JobRequest {
  handle: string | null;
}

export interface StartAnswer {
  handle?: string;
}

export const JOB_STATES = ["pending", "running", "succeeded", "failed", "unknown"] as const;

export interface StatusAnswer {
  state: (typeof JOB_STATES)[number];
  reason?: string;
}

const MAX_HANDLE = 1_000;
const text = { type: "string" };
const version = { const: BACKEND_VERSION };
const job = {
  version,
  id: { ...text, description: "RUN-TURN-ATTEMPT, with lower-case letters, digits and hyphens only." },
  run_id: text,
  turn: { type: "integer", minimum: 1 },
  attempt: { type: "integer", minimum: 1 },
};
const form = (properties: object, optional: readonly string[] = []) => ({
  type: "object",
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});
const handleRequest = form({
  ...job,
  handle: { type: ["string", "null"], description: "What `start` answered." },
});

/** What the program gets on standard input. */
export const BACKEND_REQUESTS: Record<BackendVerb, object> = {
  start: form({
    ...job,
    factory: { type: ["string", "null"] },
    worker_host: { ...text, description: "Empty for a run that names no worker." },
    platform: { type: ["object", "null"], properties: { os: text, arch: text } },
    shape: {
      type: ["object", "null"],
      required: ["vcpus", "memory_gb"],
      properties: { vcpus: { type: "number" }, memory_gb: { type: "number" } },
    },
    image: { type: ["string", "null"] },
    waiting_since: { ...text, format: "date-time" },
    server: { ...text, description: "The --server of this worker." },
    command: {
      type: "array",
      items: text,
      description: "What the job executes, without --token-file and --data-dir.",
    },
  }),
  status: handleRequest,
  cancel: handleRequest,
};

/** What it answers on standard output. `start` and `cancel` may answer nothing. */
export const BACKEND_ANSWERS: Record<BackendVerb, object> = {
  start: form({ version, handle: { ...text, maxLength: MAX_HANDLE } }, ["handle"]),
  status: form({ version, state: { enum: JOB_STATES }, reason: text }, ["reason"]),
  cancel: form({ version }),
};
