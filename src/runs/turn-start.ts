import type { Ticket } from "./run.ts";

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

/** How programs of runs are kept apart from the server and from each other. */
export type SandboxMode = "bwrap" | "container" | "none";

/** How an agent is kept apart, as its run tells. */
export interface Isolation {
  sandbox: SandboxMode;
  /** What is not kept apart, a sentence each. */
  weaknesses: string[];
}
