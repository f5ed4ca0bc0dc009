/** Every state of a run. */
export const RUN_STATES = {
  QUEUED: "a turn is waiting for a worker",
  PENDING: "being prepared (part of the public API; runs of this server do not enter this state)",
  CLAIMED: "a worker has claimed the run and is preparing its workspace",
  INPROGRESS: "the agent is running, or waits for other runs",
  SUCCEEDED: "the agent completed successfully",
  FAILED: "the agent exited with an error or could not be started",
  BLOCKED: "the agent needs input or approval from a person",
  ERROR: "ended by millrace: the run timed out or its worker was lost",
  CANCELLED: "cancelled before the agent finished",
} as const;

export type RunState = keyof typeof RUN_STATES;

/** States in which nothing of a run is left to do; a follow-up makes it begin another turn. */
export type EndState = "SUCCEEDED" | "FAILED" | "ERROR" | "CANCELLED";

export const END_STATES = [
  "SUCCEEDED",
  "FAILED",
  "ERROR",
  "CANCELLED",
] as const satisfies readonly EndState[];

export function hasEnded(state: RunState): state is EndState {
  return (END_STATES as readonly RunState[]).includes(state);
}

/** States in which a worker can have a run: it holds a lease on it, and has to show its ticket to move it. */
export const LEASED_STATES = ["CLAIMED", "INPROGRESS", "BLOCKED"] as const satisfies readonly RunState[];

/** States in which an agent can be alive. */
export const STARTED_STATES = ["INPROGRESS", "BLOCKED"] as const satisfies readonly RunState[];

/** One way for a run to go from state to state. The store makes each with one UPDATE that asks for where it starts. */
export interface Move {
  from: readonly RunState[];
  to: RunState;
}

/** The moves that are legal, and there are no others. */
export const MOVES = {
  /** A worker takes it. */
  claim: { from: ["QUEUED"], to: "CLAIMED" },
  /** The worker was lost before the agent was started. */
  release: { from: ["CLAIMED"], to: "QUEUED" },
  /** Recorded before the agent's process exists, so that it is started at most once. */
  start: { from: ["CLAIMED"], to: "INPROGRESS" },
  /** The agent, or its harness, asks a person. */
  block: { from: STARTED_STATES, to: "BLOCKED" },
  /** A person has answered while the agent is alive. */
  answer: { from: ["BLOCKED"], to: "INPROGRESS" },
  /** The agent ended well while it waits for an answer: the next turn gets it. */
  rest: { from: ["BLOCKED"], to: "BLOCKED" },
  /** The agent ended well while it waits for other runs: their ends begin the next turn. No worker has the run until then. */
  wait: { from: ["INPROGRESS"], to: "INPROGRESS" },
  succeed: { from: ["INPROGRESS"], to: "SUCCEEDED" },
  fail: { from: LEASED_STATES, to: "FAILED" },
  lose: { from: LEASED_STATES, to: "ERROR" },
  /** The store was restored from a backup, and no one can tell whether the run, or its next turn, has begun since. */
  doubt: { from: ["QUEUED", "CLAIMED", "INPROGRESS"], to: "ERROR" },
  /** No worker that it could execute on was connected for too long. */
  giveUp: { from: ["QUEUED"], to: "ERROR" },
  /** At once while it waits; else when nothing of its agent is left. */
  cancel: { from: ["QUEUED", ...LEASED_STATES], to: "CANCELLED" },
  /** A person ends a run whose agent has ended, instead of answering it. */
  dismiss: { from: ["BLOCKED"], to: "CANCELLED" },
  /** A message opens the next turn of a run that no worker has. */
  continue: { from: [...END_STATES, "BLOCKED", "INPROGRESS"], to: "QUEUED" },
} as const satisfies Record<string, Move>;

/** What an ending means for a run: a caller that asked for its end was told that it comes. */
export function endingMove(
  { state, isCancelled, isWaiting }: { state: RunState; isCancelled: boolean; isWaiting: boolean },
  ending: EndState,
): Move {
  if (isCancelled || ending === "CANCELLED") return MOVES.cancel;
  if (ending === "SUCCEEDED") {
    if (state === "BLOCKED") return MOVES.rest;
    return isWaiting ? MOVES.wait : MOVES.succeed;
  }
  return ending === "FAILED" ? MOVES.fail : MOVES.lose;
}
