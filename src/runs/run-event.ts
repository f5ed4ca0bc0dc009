import type { Isolation } from "./turn/isolation.ts";

/** Something that has happened to a run, under the names of the public API. */
export interface RunEvent {
  id: string;
  type: string;
  at: string;
  /**
   * The turn in which it happened; of a start, also how the agent is kept apart; of a question, its message; of a
   * dismissal, the name of who ended the run, and why; of another run that its agent started, or was refused, which; of a
   * wait, the runs; of a refused trigger, the automation, and why; of a refused connection, its host and port, and why.
   * wait, the runs; of a refused trigger, the automation, and why; of a token of its identity, whom it is for; of an MCP server that
   * did not start, its name, and why.
   */
  payload?: {
    turn: number;
    message_id?: string;
    message_ids?: string[];
    run_ids?: string[];
    by?: string;
    reason?: string;
    run_id?: string;
    agent?: string;
    automation?: string;
    host?: string;
    name?: string;
    port?: number;
    audience?: string;
  } & Partial<Isolation>;
}
