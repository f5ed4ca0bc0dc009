import { continueTurn, type ExecuteDeps, executeTurn } from "../executor/execution/execute.ts";
import { finishTurn } from "../executor/execution/finish-turn.ts";
import type { LeftTurn } from "../executor/execution/left-turn.ts";
import type { Claim, Run } from "../runs/run.ts";
import { patienceWith } from "../runs/turn/await-store.ts";
import { keepingDoor } from "../runs/turn/keeping-door.ts";
import { type OpenTurnDeps, openDoor, openTurn } from "../runs/turn/open-turn.ts";
import { patientDoor } from "../runs/turn/patient-door.ts";
import type { TurnDoor } from "../runs/turn/turn-door.ts";
import type { RunSignals } from "../runs/turn/turn-signals.ts";
import { watchHold } from "../runs/turn/turn-signals.ts";
import type { KeptArtifacts } from "./open-artifact-bytes.ts";

export interface ExecuteHereDeps {
  /** The server's side of a turn. */
  turns: OpenTurnDeps;
  /** The executor's side, which knows nothing of the other. */
  execution: ExecuteDeps;
  /** Where the files of its agent are kept. */
  artifacts: KeptArtifacts;
}

/** Executes a claimed turn in this process, through the door that workers elsewhere use. */
export async function executeHere(claim: Claim, deps: ExecuteHereDeps, signals: RunSignals): Promise<void> {
  const { turns, execution } = deps;
  const { held, doorHere, end } = holdTurn(claim.run, deps, signals);
  try {
    const stop = AbortSignal.any([held.stop, held.lost]);
    const { door, ...turn } = await openTurn(claim, turns, { stop, cancel: held.cancel });
    if ("assignment" in turn) await executeTurn(turn.assignment, doorHere(door), execution, held);
    else if (turn.ending) await finishTurn(claim.run.id, turn.ending, door, execution.log, held.stop);
  } finally {
    end();
  }
}

/** Goes on in this process with a turn that an earlier one has left. */
export async function continueHere(
  left: LeftTurn,
  deps: ExecuteHereDeps,
  signals: RunSignals,
): Promise<void> {
  const { assignment } = left;
  const { held, doorHere, end } = holdTurn(assignment.run, deps, signals);
  try {
    await continueTurn(left, doorHere(openDoor(assignment, deps.turns)), deps.execution, held);
  } finally {
    end();
  }
}

/** What a turn is executed with in this process for as long as it is this server's: a store that is away is waited for so long. */
function holdTurn(run: Run, { execution, artifacts }: ExecuteHereDeps, signals: RunSignals) {
  const { lost, end } = watchHold(signals.heldForMs);
  const patience = patienceWith(run, execution.log, signals.stop, signals.cancel, lost);
  const doorHere = (door: TurnDoor) => patientDoor(keepingDoor(door, run.id, artifacts), patience);
  return { held: { ...signals, lost }, doorHere, end };
}
