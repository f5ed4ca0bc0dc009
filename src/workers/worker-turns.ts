import { type CommitSignal, createCommitSignal } from "../concurrency/rounds.ts";
import { createReplacing, sharedWork } from "../concurrency/shared-work.ts";
import type { Log } from "../log.ts";
import type { RunCaps } from "../runs/caps.ts";
import { leaseFrom } from "../runs/lease.ts";
import {
  type ClaimReach,
  DEFAULT_PLACEMENT,
  fits,
  mayExecute,
  type PlacementWorker,
  placementsFor,
} from "../runs/rules/placement.ts";
import { remoteHolder } from "../runs/rules/remote-worker.ts";
import type { RunStarter } from "../runs/rules/waiting.ts";
import type { Claim, FallenClaim, Run } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { OpenTurnDeps } from "../runs/turn/open-turn.ts";
import { assignClaims } from "./assign-claims.ts";
import type { HeldTurns } from "./held-turns.ts";
import { createOfferedRuns } from "./offered-runs.ts";
import type { BeatAnswer, BeatRequest, ClaimAnswer, ClaimRequest } from "./protocol/messages.ts";
import type { OffersAnswer, OffersRequest } from "./protocol/offer.ts";
import { effectiveLabels, homeOf } from "./rules/worker-standing.ts";
import type { ProcessFacts, Worker } from "./worker.ts";
import type { Workers } from "./workers.ts";

export interface WorkerTurnsDeps {
  workers: Pick<Workers, "seen" | "left" | "isDraining">;
  store: Pick<
    RunStore,
    | "claim"
    | "listClaimed"
    | "disclaim"
    | "listClaimable"
    | "listQueuedPlacements"
    | "renewHeld"
    | "find"
    | "listNews"
    | "recoverLost"
  >;
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
  /** By which leases are judged. */
  leaseNow: () => Date;
}

/** Gives turns to workers elsewhere, and hears of them. */
export interface WorkerTurns {
  /** Says that there may be runs to execute. */
  wake(): void;
  /** Says that there may be messages for runs, or that others were asked to end. */
  lookForNews(): void;
  /** Says that the end of a run was asked for, which the store knows. */
  cancel(runId: string): void;
  /** Says that the leases of runs are over. @returns what is called when these have been ended, or wait again */
  losing(runIds: readonly string[]): (fallen: readonly FallenClaim[]) => void;
  /** Who makes a machine for a waiting run, on which a worker claims it. */
  starterOf(runId: string): RunStarter | undefined;
  /** @param gone aborts when nobody waits for the answer any more */
  claim(worker: Worker, request: ClaimRequest, gone: AbortSignal): Promise<ClaimAnswer>;
  beat(worker: Worker, request: BeatRequest, gone: AbortSignal): Promise<BeatAnswer>;
}

/** A process with room for more asks again: putting together ten thousand assignments would keep everybody else waiting. */
const MAX_AT_ONCE = 100;
/** A worker that waits looks in memory first, so it can look often: this is what a run waits for it at most. */
const BETWEEN_CLAIMS_MS = 10;
/** A signal of its own for each question: many that wait on one look like a leak to Node. */
const never = () => new AbortController().signal;
const LOST = "The worker was lost before the agent was started. The run waits for a worker again.";

export function createWorkerTurns(deps: WorkerTurnsDeps): WorkerTurns {
  const { workers, store, held, turns, caps, leaseMs, returnWaitMs, isServerExecuting, log, now, leaseNow } =
    deps;
  const waiting = createCommitSignal(BETWEEN_CLAIMS_MS);
  const changes = createCommitSignal();
  const answers = createClaimAnswers(leaseMs);
  const beats = createReplacing();
  const offered = createOfferedRuns({ store, needs: turns, caps, keepMs: leaseMs, now, leaseNow });
  // A hundred workers that wait ask one question.
  const listQueued = sharedWork(() => store.listQueuedPlacements());

  const reachOf = (worker: Worker, { facts }: ClaimRequest) =>
    workerReach(worker, facts, { isServerExecuting });

  async function claimOf(
    reach: ClaimReach,
    worker: Worker,
    { free, process, facts, run, claim }: ClaimRequest,
  ): Promise<Claim[]> {
    const at = now();
    const lease = { ...leaseFrom(leaseNow(), remoteHolder(worker.id, process), leaseMs), request: claim };
    const home = homeOf(worker, process, facts);
    const leftSince = new Date(at.getTime() - returnWaitMs).toISOString();
    const within = { ...reach, home, leftSince, ...(run === undefined ? {} : { run }) };
    return store.claim(Math.min(free, MAX_AT_ONCE), lease, at.toISOString(), caps(), within);
  }

  const isDraining = ({ id }: Worker) => workers.isDraining(id);

  async function claimNew(worker: Worker, request: ClaimRequest, gone: AbortSignal): Promise<ClaimAnswer> {
    const { run } = request;
    const { among, mayHave } = reachOf(worker, request);
    let drains = await isDraining(worker);
    const stateOf = async () => (run === undefined ? {} : { run: await offered.stateOf({ mayHave }, run) });
    // Each run that is stored wakes every worker that waits: most of them find in memory that it is not for them.
    const look = async () => {
      if (drains || request.free === 0 || gone.aborted) return { claims: [] };
      const reach = among(await listQueued(never()));
      if (reach.placements.length === 0) return { claims: [], ...(await stateOf()) };
      drains = await isDraining(worker);
      const claims = drains ? [] : await claimOf(reach, worker, request);
      return { claims, ...(claims.length > 0 ? {} : await stateOf()) };
    };
    // Another server may have given it turns whose answer was lost on the way.
    const before = await store.listClaimed(
      { worker: remoteHolder(worker.id, request.process), request: request.claim },
      leaseNow().toISOString(),
    );
    const found =
      before.length > 0
        ? { claims: before }
        : await lookUntil(
            waiting,
            request,
            gone,
            look,
            (seen) => drains || seen.claims.length > 0 || ("run" in seen && seen.run !== "waiting"),
          );
    const { claims } = found;
    const answer = { leaseMs, isDraining: drains };
    if (!gone.aborted) {
      const assigned = await assignClaims(claims, worker, request, { held, turns, leaseMs, log });
      return { ...answer, turns: assigned, ...(assigned.length > 0 ? {} : await stateOf()) };
    }
    if (claims.length > 0) {
      await store.disclaim(claims.map(({ run, ticket }) => ({ id: run.id, ticket })));
      await store.recoverLost(
        claims.map(({ run }) => run.id),
        LOST,
        now().toISOString(),
      );
    }
    return { ...answer, turns: [] };
  }

  async function offer(
    worker: Worker,
    request: ClaimRequest & { offers: OffersRequest },
    gone: AbortSignal,
  ): Promise<ClaimAnswer> {
    const { offers: asked } = request;
    const { among, mayHave } = reachOf(worker, request);
    const taker = { holder: remoteHolder(worker.id, request.process), name: worker.name, mayHave };
    offered.keepOnly(taker.holder, asked.known);
    const look = async () => {
      const drains = await isDraining(worker);
      const reach = drains ? undefined : among(await listQueued(never()));
      return { drains, found: await offered.look(taker, asked, reach) };
    };
    const { drains, found } = await lookUntil(
      waiting,
      request,
      gone,
      look,
      ({ drains, found }) => drains !== asked.isDraining || isNews(found, asked),
    );
    return { leaseMs, isDraining: drains, turns: [], offers: found };
  }

  return {
    wake: waiting.committed,
    lookForNews: changes.committed,
    cancel() {
      changes.committed();
      // A machine may be on its way for it.
      waiting.committed();
    },
    starterOf: offered.starterOf,
    losing(runIds) {
      const forget = held.losing(runIds);
      return (fallen) => {
        forget();
        for (const { runId, home, forMs } of fallen)
          log.warn(
            { run: runId, worker: home, seconds: forMs / 1_000 },
            "a worker has claimed runs and let them fall back again and again; it gets no runs for a while",
          );
        waiting.committed();
      };
    },
    async claim(worker, request, gone) {
      const holder = remoteHolder(worker.id, request.process);
      const { offers } = request;
      return answers.answer(holder, request.claim, gone, async (ofAll) => {
        await workers.seen(worker, request.process, request.facts);
        return offers ? offer(worker, { ...request, offers }, ofAll) : claimNew(worker, request, ofAll);
      });
    },
    async beat(worker, request, gone) {
      const { process, facts } = request;
      // Each once, however often it is named.
      const known = [...new Map(request.turns.map((turn) => [turn.id, turn])).values()];
      await (request.isLeaving ? workers.left(worker, process) : workers.seen(worker, process, facts));
      const at = leaseNow();
      const holder = remoteHolder(worker.id, process);
      const lease = leaseFrom(at, holder, leaseMs);
      const kept = new Set(await store.renewHeld(lease, known, at.toISOString()));
      for (const turn of known) if (!kept.has(turn.id)) held.forget(turn, lease.worker);
      const turnsKept = known.filter(({ id }) => kept.has(id));
      const look = async (): Promise<BeatAnswer> => {
        const news = new Map((await store.listNews([...kept])).map((each) => [each.id, each]));
        return {
          leaseMs,
          isDraining: await isDraining(worker),
          turns: await Promise.all(
            turnsKept.map(async ({ id }) => ({
              id,
              isCancelled: news.get(id)?.isCancelled ?? false,
              news: news.get(id)?.lastMessage ?? "",
              isForgotten: await held.isForgotten(id),
            })),
          ),
        };
      };
      const isNews = (answer: BeatAnswer) => tellsMore(answer, { ...request, turns: known });
      // A process reads the answer to its last beat alone.
      const replaced = beats.begin(holder);
      const ends = AbortSignal.any([gone, replaced]);
      return lookUntil(changes, request, ends, look, isNews).finally(() => beats.end(holder, replaced));
    },
  };
}

/** Whether there is an offer, or one that the process has stands otherwise than it knows. */
function isNews({ offers, known }: OffersAnswer, asked: OffersRequest): boolean {
  return offers.length > 0 || known.some(({ state }, index) => state !== asked.known[index]?.state);
}

/** Whether an answer tells what the process does not know. */
function tellsMore({ turns, isDraining }: BeatAnswer, known: BeatRequest): boolean {
  if (isDraining !== known.isDraining || turns.length !== known.turns.length) return true;
  return turns.some((turn) => {
    const before = known.turns.find(({ id }) => id === turn.id);
    return turn.isForgotten || before?.isCancelled !== turn.isCancelled || before.news !== turn.news;
  });
}

interface Asked {
  claim: string;
  answer: Promise<ClaimAnswer>;
  /** How many requests wait for the answer. */
  waiting: number;
  /** Aborts when nobody does any more. */
  gone: AbortController;
}

/** The last claim of each process. */
export interface ClaimAnswers {
  /**
   * Answers a claim; one that is sent again gets the answer of the first time, so that turns whose answer was lost need not wait
   * for the end of their leases.
   * @param holder the process
   * @param gone aborts when this request waits no more
   */
  answer(
    holder: string,
    claim: string,
    gone: AbortSignal,
    ask: (gone: AbortSignal) => Promise<ClaimAnswer>,
  ): Promise<ClaimAnswer>;
}

/** @param keepMs for how long a turn is a worker's without another word: after that the answer is worth nothing */
function createClaimAnswers(keepMs: number): ClaimAnswers {
  const last = new Map<string, Asked>();

  function forget(holder: string, asked: Asked): void {
    if (last.get(holder) === asked) last.delete(holder);
  }

  function begin(holder: string, claim: string, ask: (gone: AbortSignal) => Promise<ClaimAnswer>): Asked {
    // A process asks once at a time: nobody reads the answer to what it has asked before.
    last.get(holder)?.gone.abort();
    const gone = new AbortController();
    const asked: Asked = { claim, gone, waiting: 0, answer: ask(gone.signal) };
    last.set(holder, asked);
    asked.answer.then(
      ({ turns }) => {
        if (turns.length === 0) forget(holder, asked);
        else setTimeout(() => forget(holder, asked), keepMs).unref();
      },
      () => forget(holder, asked),
    );
    return asked;
  }

  return {
    answer(holder, claim, gone, ask) {
      const before = last.get(holder);
      const asked = before?.claim === claim ? before : begin(holder, claim, ask);
      asked.waiting += 1;
      gone.addEventListener(
        "abort",
        () => {
          asked.waiting -= 1;
          if (asked.waiting === 0) asked.gone.abort();
        },
        { once: true },
      );
      return asked.answer;
    },
  };
}

/** A look that no one asked for: news can be lost, and hours and pauses end without any. */
const LOOK_EVERY_MS = 5_000;

/** Looks until there is something, the wait is over, or nobody waits any more. */
async function lookUntil<Found>(
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

/** Which runs a process of a worker could have. */
export interface WorkerReach {
  mayHave(run: Pick<Run, "placement" | "factoryUid">): boolean;
  /** What it can claim of the runs with these placements. */
  among(queued: readonly string[]): ClaimReach;
}

function workerReach(
  worker: Worker,
  facts: ProcessFacts,
  { isServerExecuting }: { isServerExecuting: boolean },
): WorkerReach {
  const candidate: PlacementWorker = { ...facts, ...worker, labels: effectiveLabels(worker, facts) };
  return {
    mayHave: ({ placement, factoryUid }) =>
      (placement !== DEFAULT_PLACEMENT || !isServerExecuting) &&
      fits(placement, candidate) &&
      mayExecute(factoryUid, candidate),
    among: (queued) => ({
      placements: placementsFor(candidate, queued, { isServerExecuting }),
      factories: worker.factories,
      executor: worker.name,
    }),
  };
}
