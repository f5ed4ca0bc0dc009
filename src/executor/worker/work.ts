import { setTimeout as sleep } from "node:timers/promises";
import { timeLimit } from "../../concurrency/promises.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import type { Log } from "../../log.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import { FENCE_AT } from "../../runs/turn/turn-signals.ts";
import type { OfferState } from "../../workers/protocol/offer.ts";
import type { ProcessFacts } from "../../workers/worker.ts";
import { type DoorClient, ServerRefusal, ServerUnreachable } from "./door-client.ts";
import type { TurnsHere } from "./turns-here.ts";

interface WorkOptions {
  client: Pick<DoorClient, "claim" | "beat">;
  turns: TurnsHere;
  /** What this process is, without what it executes at the moment. */
  facts: Omit<ProcessFacts, "executing">;
  /** Reads an assignment as the server sends it. */
  read(wire: unknown): Assignment;
  /** Whether the machine has room for more. */
  hasRoom(): boolean;
  /** Takes one turn, and then ends. */
  isOnce: boolean;
  /** The run whose turn that is. */
  only?: OnlyRun;
  /** Aborts when no more turns are to be taken. */
  draining: AbortSignal;
  log: Log;
}

/**
 * Until the server has said how long a lease is. A first beat that is lost is soon sent again: turns that an earlier process has
 * left may be held for a few seconds only.
 */
const FIRST_LEASE_MS = 12_000;
/** A worker that ends does not wait for a server that is not there. */
const LEAVE_MS = 2_000;

/**
 * Takes turns and says that they are alive, until the worker drains and the last of them has ended.
 * @returns why the only run was not executed here, as a sentence
 * @throws ServerRefusal when the server does not know the worker
 */
export async function work(options: WorkOptions): Promise<string | undefined> {
  const { turns, draining } = options;
  const over = new AbortController();
  const beat: Beat = { leaseMs: FIRST_LEASE_MS, again: () => {} };
  draining.addEventListener("abort", () => beat.again(), { once: true });
  const beating = keepBeating(options, beat, over.signal);
  const claiming = keepClaiming(options, beat, AbortSignal.any([draining, over.signal]));
  let missed: string | undefined;
  try {
    missed = (await Promise.race([claiming, beating])) ?? undefined;
    // No more are claimed; those that are here go on, and so do their beats.
    await Promise.race([turns.ended(), beating]);
  } catch (error) {
    turns.loseAll();
    await turns.ended();
    throw error;
  } finally {
    over.abort();
    await Promise.allSettled([claiming, beating]);
  }
  await leave(options);
  return missed;
}

/** Says goodbye, so that runs do not wait for this process until its lease is over. */
async function leave({ client, facts }: WorkOptions): Promise<void> {
  const request = {
    facts: { ...facts, executing: 0 },
    turns: [],
    isDraining: true,
    waitMs: 0,
    isLeaving: true,
  };
  await client.beat(request, LEAVE_MS, AbortSignal.timeout(LEAVE_MS)).catch(() => {});
}

const MAX_BEAT_WAIT_MS = 10_000;
/**
 * Of the lease, for which a beat is held at most. A beat counts from when it was sent: a server that goes away just before it
 * answers was heard two waits ago, and has to be there again before the agents are ended.
 */
const BEAT_WAIT = 1 / 12;
/** Beats are at least so far apart, and so are claims: news that come in a row are told together. */
const MIN_PAUSE_MS = 100;
const FENCE_LOOK_MS = 250;

/** A beat that nobody answers for most of a lease ends the agents: the server may soon give their turns to somebody else. */
async function keepBeating(options: WorkOptions, beat: Beat, signal: AbortSignal): Promise<void> {
  const { client, turns, facts, draining, log } = options;
  let isDraining = false;
  // Whether there is something that the server has not been told.
  let isUrgent = false;
  const fence = setInterval(turns.fence, FENCE_LOOK_MS);
  try {
    while (!signal.aborted) {
      const known = turns.known();
      const sentAt = performance.now();
      const replaced = new AbortController();
      const isPrompt: boolean = isUrgent;
      isUrgent = false;
      beat.again = () => {
        isUrgent = true;
        // One that is answered without waiting is not replaced: where turns come all the time, none would be answered.
        if (!isPrompt) replaced.abort();
      };
      try {
        const request = {
          facts: { ...facts, executing: executingOf(options) },
          turns: known,
          isDraining,
          // Until this answer, a new turn counts from when it was asked for, which may be half a lease ago.
          waitMs: isPrompt ? 0 : Math.floor(Math.min(MAX_BEAT_WAIT_MS, BEAT_WAIT * beat.leaseMs)),
          isLeaving: draining.aborted,
        };
        const answer = await client.beat(
          request,
          patienceOf(beat),
          AbortSignal.any([signal, replaced.signal]),
        );
        isDraining = answer.isDraining;
        hearLease(answer.leaseMs, beat, turns);
        // The leases were renewed at some time after the request was sent.
        turns.hear(known, answer, sentAt);
      } catch (error) {
        if (signal.aborted) return;
        if (replaced.signal.aborted) continue;
        isUrgent ||= isPrompt;
        if (error instanceof ServerRefusal && error.isOfWorker) throw error;
        if (!(error instanceof ServerUnreachable))
          log.error({ error: errorMessage(error) }, "the server does not take what the worker says");
        const restMs = Math.min(RETRY_MS, BEAT_WAIT * beat.leaseMs);
        await pause(Math.max(restMs, Math.min(retryAfterOf(error), beat.leaseMs / 10)), signal);
      }
      await pause(MIN_PAUSE_MS, signal);
    }
  } finally {
    clearInterval(fence);
  }
}

const CLAIM_WAIT_MS = 25_000;
/** Of the lease: for so long after a claim was first asked for, its turns are this process's without another word. */
const RECENT = 0.5;
const OTHER_RUN = "The server gave another run than the one of --run. Update millrace on the server.";

/**
 * Takes turns as long as there is room for more; with an only run for as long as that may be waited for.
 * @returns why the only run was not got
 */
async function keepClaiming(
  options: WorkOptions,
  beat: Beat,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { only } = options;
  if (!only) return claimUntil(signal, options, beat, signal);
  const limit = timeLimit(only.waitMs, signal);
  return claimUntil(limit.signal, options, beat, signal).finally(limit.end);
}

/** @param asking aborts when no more turns are asked for */
async function claimUntil(
  asking: AbortSignal,
  options: WorkOptions,
  beat: Beat,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { client, turns, facts, hasRoom, isOnce, only, log } = options;
  let isDraining = false;
  let isAnswered = false;
  let claim: { id: string; askedAt?: number } = { id: newUid() };
  // The one turn may be one that an earlier process has begun.
  if (isOnce && turns.known().some(({ id }) => !only || id === only.id)) return undefined;
  while (!asking.aborted) {
    const free = isDraining || !hasRoom() ? 0 : (isOnce ? 1 : facts.concurrency) - turns.size;
    if (free <= 0) {
      await turns.untilRoom(RETRY_MS, asking);
      isDraining = false;
      continue;
    }
    try {
      const executing = executingOf(options);
      const request = {
        claim: claim.id,
        facts: { ...facts, executing },
        free,
        waitMs: CLAIM_WAIT_MS,
        ...(only ? { run: only.id } : {}),
      };
      // The server may have claimed the turns at any time since then.
      claim.askedAt ??= performance.now();
      const answer = await client.claim(request, asking);
      isAnswered = true;
      isDraining = answer.isDraining;
      hearLease(answer.leaseMs, beat, turns);
      const assignments = readAll(answer.turns, options);
      const begun = await beginHeld({ assignments, askedAt: claim.askedAt }, options, beat, signal);
      // Where they could not be confirmed, the same claim gets them again.
      claim = { id: newUid() };
      if (answer.turns.length > 0) beat.again();
      // A server that does not wait for turns is not asked all the time.
      else await pause(MIN_PAUSE_MS, asking);
      if (only && answer.run !== undefined && answer.run !== "waiting") return notGot(only, answer.run);
      if (only ? begun > 0 : isOnce && answer.turns.length > 0) return undefined;
    } catch (error) {
      if (asking.aborted) break;
      if (error instanceof ServerRefusal && error.isOfWorker) throw error;
      if (!(error instanceof ServerUnreachable))
        log.error({ error: errorMessage(error) }, "the server did not give the worker any runs");
      await pause(Math.max(RETRY_MS, retryAfterOf(error)), asking);
    }
  }
  if (!only || signal.aborted) return undefined;
  if (isAnswered) return notGot(only, "waiting");
  throw neverAnswered(only);
}

/** One that cannot be read, or was not asked for, keeps no other from its agent. Its lease ends. */
function readAll(wires: readonly unknown[], { read, only, log }: WorkOptions): Assignment[] {
  return wires.flatMap((wire) => {
    try {
      const assignment = read(wire);
      if (only && assignment.run.id !== only.id) throw new Error(OTHER_RUN);
      return [assignment];
    } catch (error) {
      log.error({ error: errorMessage(error) }, "a run could not be taken from the server");
      return [];
    }
  });
}

/**
 * Begins turns that are this process's still. Nobody knows for how long the answer to a claim was on its way: where a good part
 * of the lease may be over, the server is asked, and those of which it does not say so fall back.
 * @returns how many have begun
 */
async function beginHeld(
  { assignments, askedAt }: { assignments: readonly Assignment[]; askedAt: number },
  options: WorkOptions,
  beat: Beat,
  signal: AbortSignal,
): Promise<number> {
  if (assignments.length === 0) return 0;
  const isRecent = performance.now() - askedAt < RECENT * beat.leaseMs;
  const held = isRecent
    ? { assignments, askedAt }
    : await confirm(assignments, options, patienceOf(beat), signal);
  for (const assignment of held.assignments) options.turns.begin(assignment, held.askedAt);
  return held.assignments.length;
}

/** Asks the server which turns are this process's still, which renews their leases. */
async function confirm(
  assignments: readonly Assignment[],
  options: WorkOptions,
  patienceMs: number,
  signal: AbortSignal,
): Promise<{ assignments: readonly Assignment[]; askedAt: number }> {
  const askedAt = performance.now();
  const request = {
    facts: { ...options.facts, executing: executingOf(options) },
    turns: assignments.map(({ run, ticket }) => ({ id: run.id, ticket, isCancelled: false, news: "" })),
    isDraining: false,
    waitMs: 0,
  };
  const answer = await options.client.beat(request, patienceMs, signal);
  const held = new Set(answer.turns.map(({ id }) => id));
  return { assignments: assignments.filter(({ run }) => held.has(run.id)), askedAt };
}

/** What a worker that claims turns and the beats that keep them know of each other. */
interface Beat {
  /** For how long a turn is this process's after a beat, as the server has said last. */
  leaseMs: number;
  /** A beat that waits for news does not name turns that have begun since: another one takes its place. */
  again(): void;
}

/** Between two requests when the server did not answer the first one. */
const RETRY_MS = 1_000;
const MIN_PATIENCE_MS = 500;

/** Takes in how long a lease is. */
function hearLease(leaseMs: number, beat: Beat, turns: TurnsHere): void {
  beat.leaseMs = leaseMs;
  turns.fenceAfter(FENCE_AT * leaseMs);
}

/** How long the server wants not to be asked, in milliseconds. */
function retryAfterOf(error: unknown): number {
  return error instanceof ServerUnreachable ? error.retryAfterMs : 0;
}

/** How many turns a process says that it executes. A worker that was started for a run has no room for another one. */
function executingOf({ turns, only }: WorkOptions): number {
  return only ? 1 : turns.size;
}

/** For how long an answer is waited for before it is asked for again, in whole milliseconds. */
function patienceOf({ leaseMs }: Beat): number {
  return Math.max(MIN_PATIENCE_MS, Math.floor(leaseMs / 6));
}

/** Waits, unless the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/** A run that a worker was started for. */
export interface OnlyRun {
  id: string;
  /** How long the worker tries to get it, in milliseconds. */
  waitMs: number;
}

/** Why a worker that was started for a run does not execute it: no failure, because the run is in good hands. */
function notGot({ id, waitMs }: OnlyRun, state: OfferState): string {
  const why = {
    executing: "another worker has it",
    over: "it has ended, or this worker may not execute it",
    waiting: `it still waited after ${waitMs / 1_000} seconds, because the worker drains, or of a pause or a limit`,
  };
  return `Run ${id} was not executed here: ${why[state]}.`;
}

/** That may be due to this machine: whoever started the worker hears of it. */
function neverAnswered({ id, waitMs }: OnlyRun): MillraceError {
  return new MillraceError(
    "service_unavailable",
    `The server did not answer within ${waitMs / 1_000} seconds, so run ${id} was not executed here.`,
    { remedy: "Check --server, and whether this machine reaches it." },
  );
}
