import type { Assignment } from "../../runs/turn/assignment.ts";
import type { SandboxMode } from "../../runs/turn/isolation.ts";
import type { HarnessRow } from "../harness/harness.ts";
import type { NetworkReport } from "../network/network-log.ts";
import type { LastWords } from "../output/last-words.ts";
import type { TranscriptPosition } from "../output/transcript-writer.ts";
import { endLostRun } from "../sandbox/process-tree.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { AgentSupervisor } from "../supervisor/agent-supervisor.ts";
import type { LeftProgram } from "../supervisor/supervisor-messages.ts";

/** What an executor needs to know of a turn whose agent is at work, to take it up. Nothing of it is on a disk. */
export interface TurnState {
  /** Without what only the preparation needs. */
  assignment: Assignment;
  /** How its program is talked to: the settings may be others by now. */
  row: HarnessRow;
  /** Where the agent reaches the API: a worker tells nothing of the turn to another server. */
  apiUrl: string;
  /** What must not be shown. */
  hidden: readonly string[];
  /** Where the transcript was when the agent was started. */
  position: TranscriptPosition;
  /** What the setup commands have reached and used. */
  setupNetwork: NetworkReport;
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

/** What of a turn is left to the next executor, which may be of a later version (SUPERVISOR_VERSION). */
export function turnState({ assignment, ...state }: TurnState): TurnState {
  const prepared = { repositories: [], setupCommands: [], notes: [], registryAuths: undefined };
  return { ...state, assignment: { ...assignment, ...prepared } };
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
  { sandbox, host }: { sandbox: Pick<Sandbox, "endLeftBehind">; host: Pick<AgentSupervisor, "end"> },
): Promise<void> {
  await host.end(program);
  await endLostRun(program.runId, sandbox, program.pid);
}
