import { endLeftTurn, type LeftTurn } from "../executor/execution/left-turn.ts";
import type { Sandbox } from "../executor/sandbox/sandbox.ts";
import type { AgentSupervisor } from "../executor/supervisor/agent-supervisor.ts";
import type { Run, RunStore } from "../runs/run.ts";

export interface LeftTurnsDeps {
  store: Pick<RunStore, "findHeld">;
  sandbox: Pick<Sandbox, "endLeftBehind">;
  host: Pick<AgentSupervisor, "uid" | "end">;
}

/** A turn that goes on, and its run as the store has it now. */
export interface TurnOfBefore {
  turn: LeftTurn;
  run: Run;
}

/** Nobody else takes the runs of a data folder that has one server at a time: whether a lease is over does not count. */
const ANY_TIME = new Date(0).toISOString();

/**
 * Finds out which of the turns that an earlier server has left this one goes on with: those that the store still has as its. The
 * agents of the others are ended.
 */
export async function findTurnsOfBefore(
  left: readonly LeftTurn[],
  { store, sandbox, host }: LeftTurnsDeps,
): Promise<TurnOfBefore[]> {
  const found: TurnOfBefore[] = [];
  for (const turn of left) {
    const { run, ticket } = turn.assignment;
    const held = await store.findHeld({ id: run.id, ticket }, host.uid, ANY_TIME);
    if (held) found.push({ turn, run: held });
    else await endLeftTurn(turn, { sandbox, host });
  }
  return found;
}
