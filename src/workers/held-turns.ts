import { MillraceError } from "../errors/error.ts";
import type { Run } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { Ticket } from "../runs/ticket.ts";
import { locateAll } from "../runs/turn/assign-turn.ts";
import type { AssignedRepository, Assignment } from "../runs/turn/assignment.ts";
import { needsOf } from "../runs/turn/needs.ts";
import { type OpenTurnDeps, openDoor } from "../runs/turn/open-turn.ts";
import type { OpenClaim } from "../runs/turn/store-door.ts";
import type { TurnDoor } from "../runs/turn/turn-door.ts";
import type { ReceivedFiles } from "./uploaded-files.ts";
import { type WorkerDoorDeps, workerDoor } from "./worker-door.ts";

/** A turn that a worker elsewhere has. */
export interface HeldTurn {
  ticket: number;
  /** The process that has it. */
  holder: string;
  door: TurnDoor;
  /** Those that its worker may clone; nothing after a restart of the server, when they have to be looked up again. */
  repositories: readonly AssignedRepository[] | undefined;
  /** The sizes of the files that have come, or are coming. */
  received: ReceivedFiles;
}

export interface HeldTurnsDeps extends WorkerDoorDeps {
  store: Pick<RunStore, "findHeld" | "listHeldBy">;
  turns: OpenTurnDeps;
  leaseNow: () => Date;
}

/** The turns that workers elsewhere have, as this process knows them: the store says which these are. */
export interface HeldTurns {
  /** Remembers a turn that is given to a worker. */
  hold(claim: OpenClaim, holder: string, door: TurnDoor, assignment: Assignment): void;
  /** The turn, if the worker has it. @throws MillraceError `conflict` for one that it has no more, or never had */
  find(turn: Ticket, holder: string): Promise<HeldTurn>;
  /** The runs that a worker has now, with their repositories. */
  listRepositories(workerId: string): Promise<{ run: Run; repositories: readonly AssignedRepository[] }[]>;
  /** Whether its worker has to say again what must not be shown of a run: the server was started again since. */
  isForgotten(runId: string): Promise<boolean>;
  /** Looks at what is known of the turns of runs that are lost. @returns what forgets that, and nothing that is known since */
  losing(runIds: readonly string[]): () => void;
  /** Forgets a turn that has ended, or that its worker has lost; nothing happens to one that is another process's. */
  forget(turn: Ticket, holder: string): void;
}

/** What is known of a turn beyond the store lasts as long as the process: a later one opens the door of the turn again. */
export function createHeldTurns({ store, turns, leaseNow, ...deps }: HeldTurnsDeps): HeldTurns {
  const held = new Map<string, HeldTurn>();

  async function repositoriesOf({ run, ticket }: OpenClaim): Promise<readonly AssignedRepository[]> {
    const known = held.get(run.id);
    if (known?.ticket === ticket && known.repositories) return known.repositories;
    const needs = await needsOf(run, turns);
    return "missing" in needs ? [] : locateAll(run.factoryUid, needs, turns.forges);
  }

  return {
    hold({ run, ticket }, holder, door, { repositories, hidden }) {
      held.set(run.id, {
        ticket,
        holder,
        repositories,
        received: new Map(),
        door: workerDoor(door, run, hidden, deps),
      });
    },
    async find(turn, holder) {
      const run = await store.findHeld(turn, holder, leaseNow().toISOString());
      if (!run) throw notHeld(turn);
      await deps.masks.learn(run.id);
      const known = held.get(run.id);
      if (known?.ticket === turn.ticket) return known;
      const door = workerDoor(openDoor({ run, ticket: turn.ticket }, turns), run, [], deps);
      const opened = { ticket: turn.ticket, holder, repositories: undefined, received: new Map(), door };
      held.set(run.id, opened);
      return opened;
    },
    async isForgotten(runId) {
      await deps.masks.learn(runId);
      return deps.masks.maskOf(runId) === undefined;
    },
    async listRepositories(workerId) {
      const claims = await store.listHeldBy(workerId, leaseNow().toISOString());
      return Promise.all(
        claims.map(async (claim) => ({ run: claim.run, repositories: await repositoriesOf(claim) })),
      );
    },
    losing(runIds) {
      const lost = runIds.map((id) => ({ id, turn: held.get(id), unhide: deps.masks.unhiding(id) }));
      return () => {
        for (const { id, turn, unhide } of lost) {
          unhide();
          if (held.get(id) !== turn) continue;
          held.delete(id);
        }
      };
    },
    forget({ id, ticket }, holder) {
      const known = held.get(id);
      if (known?.ticket !== ticket || known.holder !== holder) return;
      held.delete(id);
    },
  };
}

function notHeld({ id }: Ticket): MillraceError {
  return new MillraceError("conflict", `The worker does not have this turn of run ${id}.`, {
    retryable: false,
    remedy: "End the agent of the turn: the server has given the run to another worker, or has ended it.",
  });
}
