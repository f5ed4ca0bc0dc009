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

/** The moves that a run can make. Each is one conditional UPDATE in the store. */
export const RUN_MOVES: Readonly<Record<RunState, readonly RunState[]>> = {
  QUEUED: ["CLAIMED", "CANCELLED"],
  PENDING: [],
  // Back to the queue when the server stopped before the start was recorded: nothing ran yet.
  CLAIMED: ["INPROGRESS", "QUEUED", "FAILED", "CANCELLED"],
  INPROGRESS: ["SUCCEEDED", "FAILED", "ERROR", "BLOCKED", "CANCELLED"],
  SUCCEEDED: ["QUEUED"],
  FAILED: ["QUEUED"],
  BLOCKED: ["INPROGRESS", "ERROR", "FAILED", "QUEUED"],
  ERROR: ["QUEUED"],
  CANCELLED: ["QUEUED"],
};

/** States that a run leaves only by a follow-up. */
export type EndState = "SUCCEEDED" | "FAILED" | "ERROR" | "CANCELLED";

export function hasEnded(state: RunState): state is EndState {
  return state === "SUCCEEDED" || state === "FAILED" || state === "ERROR" || state === "CANCELLED";
}
