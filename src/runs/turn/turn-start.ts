import type { Ticket } from "../ticket.ts";
import type { Isolation } from "./isolation.ts";

/** What is recorded of a turn before its agent is started. */
export interface TurnStart extends Ticket {
  /** Of the run, if it has none yet. */
  sessionId: string;
  tokenHash: string;
  /** Whether the agent's session takes messages. */
  takesInput: boolean;
  isolation?: Isolation;
  /** Whether repositories were cloned or commands run for it, which its timeline tells. */
  wasSetUp?: boolean;
}
