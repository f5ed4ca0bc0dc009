import { MAX_WAITED, WAIT_MODES } from "../../../runs/rules/wait.ts";
import { ref } from "../../http/operation.ts";
import { uuid } from "../../http/shapes.ts";

/** One week. A run that waits keeps its workspace. */
export const MAX_WAIT_SECONDS = 7 * 24 * 60 * 60;
const DEFAULT_WAIT_SECONDS = 24 * 60 * 60;
const MAX_HOLD_SECONDS = 60;

export const waitModels = {
  WaitRequest: {
    type: "object",
    additionalProperties: false,
    properties: {
      run_ids: {
        type: "array",
        items: uuid,
        minItems: 1,
        maxItems: MAX_WAITED,
        description:
          "The runs to wait for: descendants of the run. By default, the run's own children that have not ended, and those whose results it has not been given. If it has been given all results, all of its children.",
      },
      mode: {
        type: "string",
        enum: [...WAIT_MODES],
        default: "all",
        description: "Whether all of the runs have to end, or any one of them.",
      },
      timeout_seconds: {
        type: "integer",
        minimum: 1,
        maximum: MAX_WAIT_SECONDS,
        default: DEFAULT_WAIT_SECONDS,
        description: "When the wait ends although the runs have not ended.",
      },
      hold_seconds: {
        type: "integer",
        minimum: 0,
        maximum: MAX_HOLD_SECONDS,
        default: 0,
        description: "How long the server waits for the results before it responds.",
      },
    },
  },
  WaitResponse: {
    type: "object",
    additionalProperties: false,
    required: ["state", "runs"],
    properties: {
      state: {
        type: "string",
        enum: ["done", "waiting", "timed_out"],
        description:
          "done: the runs have ended as the mode requires. waiting: the wait is recorded. When the agent exits with code 0, the run waits without a process, and the results begin its next turn. timed_out: the time limit was reached first.",
      },
      runs: { type: "array", items: ref("ChildResult") },
    },
  },
  ChildResult: {
    type: "object",
    additionalProperties: false,
    required: [
      "run_id",
      "agent",
      "title",
      "state",
      "is_sandbox_running",
      "answer",
      "status_message",
      "artifacts",
    ],
    properties: {
      run_id: uuid,
      agent: { type: "string", description: "The name of the agent that the run was given to." },
      title: { type: "string" },
      state: ref("RunState"),
      is_sandbox_running: {
        type: "boolean",
        description:
          "Whether the agent of the run is running. False for a run that is queued or waits for other runs.",
      },
      answer: {
        type: ["string", "null"],
        description: "The agent's final answer. Null until the run has ended.",
      },
      status_message: { anyOf: [ref("RunStatusMessage"), { type: "null" }] },
      artifacts: { type: "array", items: ref("Artifact") },
    },
  },
} as const;

/** The defaults of a request. */
export const WAIT_DEFAULTS = { mode: "all", timeout_seconds: DEFAULT_WAIT_SECONDS, hold_seconds: 0 } as const;
