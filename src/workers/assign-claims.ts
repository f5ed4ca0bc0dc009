import { timeLimit } from "../concurrency/promises.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import { remoteHolder } from "../runs/rules/remote-worker.ts";
import type { Claim } from "../runs/run.ts";
import { setupFailed } from "../runs/turn/ending.ts";
import { type OpenTurnDeps, openTurn } from "../runs/turn/open-turn.ts";
import type { HeldTurns } from "./held-turns.ts";
import { assignmentToWire } from "./protocol/assignment-wire.ts";
import type { ClaimRequest } from "./protocol/messages.ts";
import type { ProcessFacts, Worker } from "./worker.ts";

export interface AssignClaimsDeps {
  held: HeldTurns;
  turns: OpenTurnDeps;
  leaseMs: number;
  log: Log;
}

/** Puts together what is sent to a worker for the turns that it has claimed. One that this fails for keeps no other back. */
export async function assignClaims(
  claims: readonly Claim[],
  worker: Worker,
  { process, facts }: ClaimRequest,
  deps: AssignClaimsDeps,
): Promise<unknown[]> {
  const holder = remoteHolder(worker.id, process);
  const assigned = await Promise.all(
    claims.map(async (claim) => {
      try {
        return await assign(claim, { holder, facts }, deps);
      } catch (error) {
        // Its lease ends unrenewed, and the run waits again. That is no fault of the worker.
        const run = claim.run.id;
        deps.log.error({ run, error: errorMessage(error) }, "a run could not be given to a worker");
        await disclaim(claim, deps).catch((failure) =>
          deps.log.error({ run, error: errorMessage(failure) }, "a claim could not be taken back"),
        );
        return [];
      }
    }),
  );
  return assigned.flat();
}

function disclaim({ run, ticket }: Claim, { turns }: AssignClaimsDeps): Promise<void> {
  return turns.store.disclaim([{ id: run.id, ticket }]);
}

function limitsNothing(version: string): string {
  return `The run was not started: its network is limited, and the version of its worker (${version}) cannot do that. Update the worker.`;
}

/** @returns the assignment; nothing for a turn that has ended already, because it lacks something */
async function assign(
  claim: Claim,
  { holder, facts }: { holder: string; facts: ProcessFacts },
  deps: AssignClaimsDeps,
): Promise<unknown[]> {
  const { held, turns, leaseMs } = deps;
  const usesImages = facts.sandbox === "container";
  // A forge that does not answer must not hold up the other turns of the claim: this one waits again.
  const { signal: stop, end } = timeLimit(Math.floor(leaseMs / 3));
  const soon = { cancel: new AbortController().signal, stop };
  const { door, ...turn } = await openTurn(claim, { ...turns, usesImages }, soon).finally(end);
  if ("assignment" in turn && turn.assignment.network && !facts.limitsNetwork) {
    await disclaim(claim, deps);
    await door.finish(setupFailed(limitsNothing(facts.version)));
    return [];
  }
  if ("assignment" in turn) {
    held.hold(claim, holder, door, turn.assignment);
    await door.hide(turn.assignment.hidden);
    return [assignmentToWire(turn.assignment)];
  }
  await disclaim(claim, deps);
  if (turn.ending) await door.finish(turn.ending);
  return [];
}
