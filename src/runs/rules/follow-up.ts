import type { Principal } from "../../principals/principal.ts";
import type { IdempotencyKey } from "../idempotency.ts";
import type { Ticket } from "../ticket.ts";
import type { RunTurn } from "./agent-report.ts";
import { hasEnded, type RunState } from "./state.ts";

/**
 * What becomes of a message to a run, as the public API names it: it joins the prompt of a turn that waits; it is given
 * to a session that takes input; it begins the next turn when this one ends; or it begins a turn of a run whose agent
 * has ended.
 */
export type FollowUpResult = "queued_prompt" | "live_session" | "queue_pending" | "handoff_execution";

export interface NewFollowUp {
  id: string;
  runId: string;
  message: string;
  creator: Principal;
  /** The run whose agent sends it, in one of its turns; nothing for a message with an API key. */
  from?: RunTurn;
}

export interface FollowUp extends NewFollowUp {
  result: FollowUpResult;
  /** The turn that it belongs to; nothing while that turn is yet to begin. */
  turn: number | null;
  createdAt: string;
  /** Whether the agent of an earlier turn may have read it. */
  isRepeated: boolean;
  /** Whether the run was blocked when it came. */
  isAnswer: boolean;
}

/**
 * The result for a new message, or for one that was sent before under the same key; or that the key was another's, that
 * too much waits already, or that the factory of the run was deleted.
 */
export type FollowUpOutcome =
  | { id: string; result: FollowUpResult }
  | { differs: true }
  | { full: true }
  | { orphaned: true }
  | { refused: MessageRefusal };

/** Why an agent may not send a message to a run, and no other reasons. */
export type MessageRefusal = "ended" | "cancelled" | "asks_person" | "sent_enough" | "woken_enough";

/** How many messages the agent of a run may send in one turn. */
export const MAX_SENT_IN_TURN = 200;
/** How many turns of a run the messages of agents may open: two that answer each other would never end. */
export const MAX_TURNS_BY_AGENTS = 50;

/** What a run holds of messages that no turn has been given yet, in characters. */
export const MAX_WAITING = 4 * 1024 * 1024;

/** Where a run stands when a message comes. */
export interface MessageTarget {
  state: RunState;
  /** Whether its agent's session takes input. */
  takesInput: boolean;
  /** Whether a worker has it. */
  isLeased: boolean;
}

/** What becomes of a message. */
export function followUpResult({ state, takesInput, isLeased }: MessageTarget): FollowUpResult {
  if (state === "QUEUED") return "queued_prompt";
  // It rests: the answer to its question, or the end of its wait for other runs, is what begins its next turn.
  const isResting = !isLeased && (state === "BLOCKED" || state === "INPROGRESS");
  if (hasEnded(state) || isResting) return "handoff_execution";
  return takesInput && state !== "CLAIMED" ? "live_session" : "queue_pending";
}

/** A message as an agent is given it: one that another agent has sent does not pass for one of a person. */
export function givenText({
  message,
  from,
  creator,
}: Pick<FollowUp, "message" | "from" | "creator">): string {
  if (from === undefined) return message;
  return `[millrace: The agent ${JSON.stringify(creator.displayName)} of run ${from.id} sends the following message.]\n${message}`;
}

/** Keeps the messages to runs. */
export interface FollowUpStore {
  /**
   * Takes a message for a run; what becomes of it is decided by where the run stands in this transaction.
   * @returns nothing when there is no such run
   */
  followUp(
    followUp: NewFollowUp,
    once: IdempotencyKey | null,
    at: string,
  ): Promise<FollowUpOutcome | undefined>;
  listFollowUps(runId: string): Promise<FollowUp[]>;
  /** Messages for the session of this turn that it has not been given yet, oldest first; none for who does not have it any more. */
  listUngiven(turn: Ticket): Promise<FollowUp[]>;
  /** Records that a message is about to be written to a session. It and the next two do nothing for who does not have the turn any more. */
  offer(turn: Ticket, followUpId: string): Promise<void>;
  /** Records that the session has written something after the message. */
  confirm(turn: Ticket, followUpId: string): Promise<void>;
  /** Records that an agent was given messages. */
  give(turn: Ticket, followUpIds: readonly string[], at: string): Promise<void>;
}
