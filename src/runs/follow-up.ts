import type { Principal } from "../principals/principal.ts";
import type { RunState } from "./state.ts";

/**
 * What becomes of a message to a run, as the public API names it: it joins the prompt of a run that waits; it is given
 * to a session that takes input; it begins the next turn when this one ends; or it begins a turn of a run that has ended.
 */
export type FollowUpResult = "queued_prompt" | "live_session" | "queue_pending" | "handoff_execution";

export interface NewFollowUp {
  id: string;
  runId: string;
  message: string;
  creator: Principal;
}

export interface FollowUp extends NewFollowUp {
  result: FollowUpResult;
  createdAt: string;
}

/** How messages to runs are taken. */
export interface FollowUpRules {
  results: Readonly<Record<RunState, FollowUpResult>>;
  /** What a run holds of messages that no turn has been given yet, in characters. */
  mostWaiting: number;
}

/**
 * The result for a new message, or for one that was sent before under the same key; or that the key was another's, or
 * that too much waits already.
 */
export type FollowUpOutcome = { id: string; result: FollowUpResult } | { differs: true } | { full: true };

export const FOLLOW_UP_RULES: FollowUpRules = {
  mostWaiting: 4 * 1024 * 1024,
  results: {
    QUEUED: "queued_prompt",
    PENDING: "queue_pending",
    CLAIMED: "queue_pending",
    INPROGRESS: "queue_pending",
    BLOCKED: "live_session",
    SUCCEEDED: "handoff_execution",
    FAILED: "handoff_execution",
    ERROR: "handoff_execution",
    CANCELLED: "handoff_execution",
  },
};
