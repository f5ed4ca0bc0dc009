import { continueTurn, type ExecuteDeps, executeTurn } from "../runs/execution/execute.ts";
import { finishTurn } from "../runs/execution/finish-turn.ts";
import type { LeftTurn } from "../runs/execution/left-turn.ts";
import type { RunSignals } from "../runs/queue.ts";
import type { Claim } from "../runs/run.ts";
import { type OpenTurnDeps, openDoor, openTurn } from "../runs/turns/open-turn.ts";

export interface ExecuteHereDeps {
  /** The server's side of a turn. */
  turns: OpenTurnDeps;
  /** The executor's side, which knows nothing of the other. */
  execution: ExecuteDeps;
}

/** Executes a claimed turn in this process, through the door that workers elsewhere use. */
export async function executeHere(
  claim: Claim,
  { turns, execution }: ExecuteHereDeps,
  signals: RunSignals,
): Promise<void> {
  const { door, ...turn } = await openTurn(claim, turns, signals);
  if ("ending" in turn) {
    if (turn.ending) await finishTurn(claim.run.id, turn.ending, door, execution.log, signals.stop);
    return;
  }
  await executeTurn(turn.assignment, door, execution, signals);
}

/** Goes on in this process with a turn that an earlier one has left. */
export async function continueHere(
  left: LeftTurn,
  { turns, execution }: ExecuteHereDeps,
  signals: RunSignals,
): Promise<void> {
  await continueTurn(left, openDoor(left.assignment, turns), execution, signals);
}
