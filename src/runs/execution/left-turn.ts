import type { LastWords } from "../output/last-words.ts";
import type { TranscriptPosition } from "../output/transcript.ts";
import type { LeftProgram } from "../supervisor/supervisor-messages.ts";
import type { Assignment } from "../turns/assignment.ts";

/** What an executor needs to know of a turn whose agent is at work, to take it up. Nothing of it is on a disk. */
export interface TurnState {
  /** Without the repositories, which have been cloned. */
  assignment: Assignment;
  /** What must not be shown. */
  hidden: readonly string[];
  /** Where the transcript was when the agent was started. */
  position: TranscriptPosition;
}

/** What goes with output of an agent that is kept. */
export interface TurnCheckpoint {
  position: TranscriptPosition;
  lastWords: LastWords;
}

/** A turn that an earlier executor has left, with its agent. */
export interface LeftTurn extends TurnState {
  program: LeftProgram;
  checkpoint: TurnCheckpoint | undefined;
}

export function turnState({ assignment, hidden, position }: TurnState): TurnState {
  return { assignment: { ...assignment, repositories: [] }, hidden, position };
}

/** Reads what `turnState` has written, and the checkpoint of its program. Both come from this user's own supervisor. */
export function leftTurn(program: LeftProgram): LeftTurn {
  return {
    ...(program.state as TurnState),
    program,
    checkpoint: program.checkpoint as TurnCheckpoint | undefined,
  };
}
