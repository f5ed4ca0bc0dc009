import { continueTurn, type ExecuteDeps, executeTurn } from "../runs/execution/execute.ts";
import { finishTurn } from "../runs/execution/finish-turn.ts";
import type { LeftTurn } from "../runs/execution/left-turn.ts";
import type { RunSignals } from "../runs/queue.ts";
import type { Claim } from "../runs/run.ts";
import { keepingDoor } from "../runs/turns/keeping-door.ts";
import { type OpenTurnDeps, openDoor, openTurn } from "../runs/turns/open-turn.ts";
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
export async function executeHere(
  claim: Claim,
  { turns, execution, artifacts }: ExecuteHereDeps,
  signals: RunSignals,
): Promise<void> {
  const { door, ...turn } = await openTurn(claim, turns, signals);
  if ("ending" in turn) {
    if (turn.ending) await finishTurn(claim.run.id, turn.ending, door, execution.log, signals.stop);
    return;
  }
  await executeTurn(turn.assignment, keepingDoor(door, claim.run.id, artifacts), execution, signals);
}

/** Goes on in this process with a turn that an earlier one has left. */
export async function continueHere(
  left: LeftTurn,
  { turns, execution, artifacts }: ExecuteHereDeps,
  signals: RunSignals,
): Promise<void> {
  const door = openDoor(left.assignment, turns);
  await continueTurn(left, keepingDoor(door, left.assignment.run.id, artifacts), execution, signals);
}
