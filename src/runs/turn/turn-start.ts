import type { Ticket } from "../ticket.ts";
import type { Isolation } from "./isolation.ts";

/** How the setup of a workspace went, as its timeline tells it. */
export interface SetupStart {
  /** Whether what the commands make was restored from a snapshot. */
  restored: boolean;
  /** When that was made. */
  made_at?: string;
  seconds?: number;
  /** Why the commands ran. */
  reason?: string;
}

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
  setup?: SetupStart;
}
