import { type CommitSignal, createCommitSignal } from "../concurrency/commit-signal.ts";
import { createReplacing } from "../concurrency/replacing.ts";
import { sharedWork } from "../concurrency/shared-work.ts";
import { timeLimit } from "../concurrency/time-limit.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { RunCaps } from "../runs/caps.ts";
import { leaseFrom } from "../runs/lease.ts";
import { type PlacementWorker, placementsFor } from "../runs/rules/placement.ts";
import { remoteHolder } from "../runs/rules/remote-worker.ts";
import type { Claim, RunStore, Ticket } from "../runs/run.ts";
import { type OpenTurnDeps, openTurn } from "../runs/turns/open-turn.ts";
import { createClaimAnswers } from "./claim-answers.ts";
import { createFallenClaims } from "./fallen-claims.ts";
import type { HeldTurns } from "./held-turns.ts";
import { assignmentToWire } from "./protocol/assignment-wire.ts";
import type { BeatAnswer, BeatRequest, ClaimAnswer, ClaimRequest } from "./protocol/messages.ts";
import { effectiveLabels, homeOf } from "./rules/worker-standing.ts";
import type { Worker } from "./worker.ts";
import type { Workers } from "./workers.ts";

export interface WorkerTurnsDeps {
  workers: Pick<Workers, "seen" | "left" | "isDraining">;
  store: Pick<RunStore, "claim" | "listQueuedPlacements" | "renewHeld" | "find" | "recoverLost">;
  held: HeldTurns;
  turns: OpenTurnDeps;
  /** The active caps. */
  caps: () => RunCaps;
  /** For how long a turn is a worker's after each of its beats, in milliseconds. */
  leaseMs: number;
  /** For how long a later turn waits for whoever has the workspace of its run, in milliseconds. */
  returnWaitMs: number;
  /** Whether the server executes runs that name no worker. */
  isServerExecuting: boolean;
  log: Log;
  now: () => Date;
}

/** Gives turns to workers elsewhere, and hears of them. */
export interface WorkerTurns {
  /** Says that there may be runs to execute. */
  wake(): void;
  /** Says that there is a message for a run. */
  notify(runId: string): void;
  /** Says that the end of a run was asked for, which the store knows. */
  cancel(runId: string): void;
  /** Says that the agent of a turn was started, or that the turn has ended. */
  begun(turn: Ticket): void;
  /** Says that the leases of runs are over. @returns what is called when these have been ended, or wait again */
  losing(runIds: readonly string[]): () => void;
  /** @param gone aborts when nobody waits for the answer any more */
  claim(worker: Worker, request: ClaimRequest, gone: AbortSignal): Promise<ClaimAnswer>;
  beat(worker: Worker, request: BeatRequest, gone: AbortSignal): Promise<BeatAnswer>;
}

/** A look that no one asked for: news can be lost, and hours and pauses end without any. */
const LOOK_EVERY_MS = 5_000;
/** A process with room for more asks again: putting together ten thousand assignments would keep everybody else waiting. */
const MOST_AT_ONCE = 100;
/** A signal of its own for each question: many that wait on one look like a leak to Node. */
const never = () => new AbortController().signal;
const LOST = "The worker was lost before the agent was started. The run waits for a worker again.";

export function createWorkerTurns(deps: WorkerTurnsDeps): WorkerTurns {
  const { workers, store, held, turns, caps, leaseMs, returnWaitMs, isServerExecuting, log, now } = deps;
  const waiting = createCommitSignal();
  const changes = createCommitSignal();
  const answers = createClaimAnswers(leaseMs);
  const fallen = createFallenClaims();
  const beats = createReplacing();
  // A hundred workers that wait ask one question.
  const listQueued = sharedWork(() => store.listQueuedPlacements());

  /** Looks until there is something, the wait is over, or nobody waits any more. */
  async function until<Found>(
    news: CommitSignal,
    { waitMs }: { waitMs: number },
    gone: AbortSignal,
    look: () => Promise<Found>,
    isSomething: (found: Found) => boolean,
  ): Promise<Found> {
    const end = performance.now() + waitMs;
    for (;;) {
      const found = await look();
      const left = end - performance.now();
      if (isSomething(found) || left <= 0 || gone.aborted) return found;
      await news.next(Math.min(left, LOOK_EVERY_MS), gone);
    }
  }

  /** The placements of waiting runs that a worker could have. */
  async function findPlacements(worker: Worker, { facts }: ClaimRequest): Promise<string[]> {
    const candidate: PlacementWorker = { ...facts, ...worker, labels: effectiveLabels(worker, facts) };
    return placementsFor(candidate, await listQueued(never()), { isServerExecuting });
  }

  async function claimOf(
    placements: readonly string[],
    worker: Worker,
    { free, process, facts }: ClaimRequest,
  ): Promise<Claim[]> {
    const at = now();
    const lease = leaseFrom(at, remoteHolder(worker.id, process), leaseMs);
    const home = homeOf(worker, process, facts);
    const most = Math.min(free, MOST_AT_ONCE, fallen.roomFor(home));
    if (most === 0) return [];
    const reach = {
      ...{ placements, factories: worker.factories, home },
      leftSince: new Date(at.getTime() - returnWaitMs).toISOString(),
    };
    return store.claim(most, lease, at.toISOString(), caps(), reach);
  }

  /** @returns the assignment; nothing for a turn that has ended already, because it lacks something */
  async function assign(claim: Claim, holder: string, sandbox: string | null): Promise<unknown[]> {
    const usesImages = sandbox === "container";
    // A forge that does not answer must not hold up the other turns of the claim: this one waits again.
    const { signal: stop, end } = timeLimit(Math.floor(leaseMs / 3));
    const soon = { cancel: never(), stop };
    const { door, ...turn } = await openTurn(claim, { ...turns, usesImages }, soon).finally(end);
    if ("assignment" in turn) {
      held.hold(claim, holder, door, turn.assignment);
      await door.hide(turn.assignment.hidden);
      return [assignmentToWire(turn.assignment)];
    }
    if (turn.ending) await door.finish(turn.ending);
    return [];
  }

  async function assignAll(
    claims: readonly Claim[],
    worker: Worker,
    { process, facts }: ClaimRequest,
  ): Promise<unknown[]> {
    const { sandbox } = facts;
    const home = homeOf(worker, process, facts);
    const holder = remoteHolder(worker.id, process);
    const assigned = await Promise.all(
      claims.map((claim) =>
        assign(claim, holder, sandbox)
          .then((wire) => {
            if (wire.length > 0) fallen.give(home, [{ id: claim.run.id, ticket: claim.ticket }]);
            return wire;
          })
          .catch((error) => {
            // Its lease ends unrenewed, and the run waits again.
            log.error(
              { run: claim.run.id, error: errorMessage(error) },
              "a run could not be given to a worker",
            );
            return [];
          }),
      ),
    );
    return assigned.flat();
  }

  const isDraining = ({ id }: Worker) => workers.isDraining(id);

  async function claimNew(worker: Worker, request: ClaimRequest, gone: AbortSignal): Promise<ClaimAnswer> {
    await workers.seen(worker, request.process, request.facts);
    let drains = await isDraining(worker);
    // Each run that is stored wakes every worker that waits: most of them find in memory that it is not for them.
    const look = async () => {
      if (drains || request.free === 0 || gone.aborted) return [];
      const placements = await findPlacements(worker, request);
      if (placements.length === 0) return [];
      drains = await isDraining(worker);
      return drains ? [] : claimOf(placements, worker, request);
    };
    const claims = await until(waiting, request, gone, look, (found) => drains || found.length > 0);
    const answer = { leaseMs, isDraining: drains };
    if (!gone.aborted) return { ...answer, turns: await assignAll(claims, worker, request) };
    if (claims.length > 0)
      await store.recoverLost(
        claims.map(({ run }) => run.id),
        LOST,
        now().toISOString(),
      );
    return { ...answer, turns: [] };
  }

  return {
    wake: waiting.committed,
    notify(runId) {
      if (held.notify(runId)) changes.committed();
    },
    cancel: () => changes.committed(),
    begun: fallen.begin,
    losing(runIds) {
      const given = runIds.map((id) => ({ id, ticket: fallen.findGiven(id) ?? -1 }));
      const forget = held.losing(runIds);
      return () => {
        forget();
        for (const turn of given) {
          const pause = fallen.lose(turn);
          if (pause)
            log.warn(
              { run: turn.id, worker: pause.home, seconds: pause.forMs / 1_000 },
              "a worker has claimed runs and let them fall back again and again; it gets no runs for a while",
            );
        }
        waiting.committed();
      };
    },
    claim(worker, request, gone) {
      const holder = remoteHolder(worker.id, request.process);
      return answers.answer(holder, request.claim, gone, (ofAll) => claimNew(worker, request, ofAll));
    },
    async beat(worker, request, gone) {
      const { process, facts } = request;
      // Each once, however often it is named.
      const known = [...new Map(request.turns.map((turn) => [turn.id, turn])).values()];
      await (request.isLeaving ? workers.left(worker, process) : workers.seen(worker, process, facts));
      const at = now();
      const holder = remoteHolder(worker.id, process);
      const lease = leaseFrom(at, holder, leaseMs);
      const kept = new Set(await store.renewHeld(lease, known, at.toISOString()));
      for (const turn of known) if (!kept.has(turn.id)) held.forget(turn, lease.worker);
      const turnsKept = known.filter(({ id }) => kept.has(id));
      const look = async (): Promise<BeatAnswer> => ({
        leaseMs,
        isDraining: await isDraining(worker),
        turns: await Promise.all(
          turnsKept.map(async ({ id, ticket }) => ({
            id,
            isCancelled: (await store.find(id))?.cancelRequestedAt != null,
            news: held.newsOf(id),
            isForgotten: held.isForgotten({ id, ticket }),
          })),
        ),
      });
      const isNews = (answer: BeatAnswer) => tellsMore(answer, { ...request, turns: known });
      // A process reads the answer to its last beat alone.
      const replaced = beats.begin(holder);
      const ends = AbortSignal.any([gone, replaced]);
      return until(changes, request, ends, look, isNews).finally(() => beats.end(holder, replaced));
    },
  };
}

/** Whether an answer tells what the process does not know. */
function tellsMore({ turns, isDraining }: BeatAnswer, known: BeatRequest): boolean {
  if (isDraining !== known.isDraining || turns.length !== known.turns.length) return true;
  return turns.some((turn) => {
    const before = known.turns.find(({ id }) => id === turn.id);
    return turn.isForgotten || before?.isCancelled !== turn.isCancelled || before.news !== turn.news;
  });
}
