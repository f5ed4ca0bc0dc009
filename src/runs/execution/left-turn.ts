import type { LastWords } from "../output/last-words.ts";
import type { TranscriptPosition } from "../output/transcript.ts";
import { endLostRun } from "../sandbox/process-tree.ts";
import type { Sandbox, SandboxMode } from "../sandbox/sandbox.ts";
import type { AgentSupervisor } from "../supervisor/agent-supervisor.ts";
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
  /** In which the agent was started: only an executor with the same one can end it. */
  sandbox: SandboxMode;
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

export function turnState({ assignment, ...state }: TurnState): TurnState {
  return { ...state, assignment: { ...assignment, repositories: [] } };
}

/** Reads what `turnState` has written, and the checkpoint of its program. Both come from this user's own supervisor. */
export function leftTurn(program: LeftProgram): LeftTurn {
  return {
    ...(program.state as TurnState),
    program,
    checkpoint: program.checkpoint as TurnCheckpoint | undefined,
  };
}

/** Ends the agent of a turn that nobody goes on with. */
export async function endLeftTurn(
  { program }: LeftTurn,
  { sandbox, host }: { sandbox: Pick<Sandbox, "endLeftBehind">; host: Pick<AgentSupervisor, "takeUp"> },
): Promise<void> {
  await endLostRun(program.runId, sandbox, program.pid);
  host.takeUp(program, { onOutput: async () => false }).forget();
}
