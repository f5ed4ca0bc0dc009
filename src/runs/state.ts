/** Every state of a run. */
export const RUN_STATES = {
  QUEUED: "waits for a worker",
  PENDING: "is being prepared (part of the public API; a run of this server does not enter it)",
  CLAIMED: "a worker has it, and its workspace is being prepared",
  INPROGRESS: "its agent runs",
  SUCCEEDED: "its agent ended well",
  FAILED: "its agent ended with an error, or could not be started",
  BLOCKED: "needs input or approval from a person",
  ERROR: "was ended by the platform: it took too long, or its worker was lost",
  CANCELLED: "was cancelled before it ended",
} as const;

export type RunState = keyof typeof RUN_STATES;

/** States that a run leaves only by a follow-up. */
export type EndState = "SUCCEEDED" | "FAILED" | "ERROR" | "CANCELLED";

export function hasEnded(state: RunState): state is EndState {
  return state === "SUCCEEDED" || state === "FAILED" || state === "ERROR" || state === "CANCELLED";
}
