/** How programs of runs are kept apart from the server and from each other. */
export type SandboxMode = "bwrap" | "container" | "none";

/** How an agent is kept apart, as its run tells. */
export interface Isolation {
  sandbox: SandboxMode;
  /** What is not kept apart, a sentence each. */
  weaknesses: string[];
}
