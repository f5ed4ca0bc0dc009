import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../errors/error.ts";
import { newUid } from "../id.ts";
import type { Log } from "../log.ts";
import { FENCE_AT } from "../runs/rules/fence.ts";
import type { Assignment } from "../runs/turns/assignment.ts";
import type { ProcessFacts } from "../workers/worker.ts";
import type { DoorClient } from "./door-client.ts";
import { ServerRefusal, ServerUnreachable } from "./server-answer.ts";
import type { TurnsHere } from "./turns-here.ts";

export interface WorkOptions {
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
  /** Aborts when no more turns are to be taken. */
  draining: AbortSignal;
  log: Log;
}

const CLAIM_WAIT_MS = 25_000;
const MAX_BEAT_WAIT_MS = 10_000;
/**
 * Of the lease, for which a beat is held at most. A beat counts from when it was sent: a server that goes away just before it
 * answers was heard two waits ago, and has to be there again before the agents are ended.
 */
const BEAT_WAIT = 1 / 12;
/** Beats are at least so far apart: news that come in a row are told together. */
const MIN_PAUSE_MS = 100;
const MIN_PATIENCE_MS = 500;
const RETRY_MS = 1_000;
const LEAVE_MS = 2_000;
const FENCE_LOOK_MS = 250;
/** Until the server has said how long a lease is. */
const DEFAULT_LEASE_MS = 60_000;

/**
 * Takes turns and says that they are alive, until the worker drains and the last of them has ended.
 * @throws ServerRefusal when the server does not know the worker
 */
export async function work(options: WorkOptions): Promise<void> {
  const { turns, draining } = options;
  const over = new AbortController();
  const beat: Beat = { leaseMs: DEFAULT_LEASE_MS, again: () => {} };
  draining.addEventListener("abort", () => beat.again(), { once: true });
  const beating = keepBeating(options, beat, over.signal);
  const claiming = keepClaiming(options, beat, AbortSignal.any([draining, over.signal]));
  try {
    await Promise.race([claiming, beating]);
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
}

/** Says goodbye, so that runs do not wait for this process until its lease is over. */
async function leave({ client, facts }: WorkOptions): Promise<void> {
  const request = {
    ...{ facts: { ...facts, executing: 0 }, turns: [], isDraining: true, waitMs: 0 },
    isLeaving: true,
  };
  await client.beat(request, LEAVE_MS, AbortSignal.timeout(LEAVE_MS)).catch(() => {});
}

interface Beat {
  /** For how long a turn is this process's after a beat, as the server has said last. */
  leaseMs: number;
  /** A beat that waits for news does not name turns that have begun since: another one takes its place. */
  again(): void;
}

async function keepClaiming(options: WorkOptions, beat: Beat, signal: AbortSignal): Promise<void> {
  const { client, turns, facts, hasRoom, isOnce, log } = options;
  let isDraining = false;
  let claim = newUid();
  // The one turn may be one that an earlier process has begun.
  if (isOnce && turns.size > 0) return;
  while (!signal.aborted) {
    const free = isDraining || !hasRoom() ? 0 : (isOnce ? 1 : facts.concurrency) - turns.size;
    if (free <= 0) {
      await turns.untilRoom(RETRY_MS, signal);
      isDraining = false;
      continue;
    }
    try {
      const request = { claim, facts: { ...facts, executing: turns.size }, free, waitMs: CLAIM_WAIT_MS };
      const answer = await client.claim(request, signal);
      isDraining = answer.isDraining;
      hearLease(answer.leaseMs, beat, turns);
      await beginConfirmed(readAll(answer.turns, options), options, beat, signal);
      // Where they could not be confirmed, the same claim gets them again.
      claim = newUid();
      if (answer.turns.length > 0) beat.again();
      // A server that does not wait for turns is not asked all the time.
      else await pause(MIN_PAUSE_MS, signal);
      if (isOnce && answer.turns.length > 0) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ServerRefusal && error.isOfWorker) throw error;
      if (!(error instanceof ServerUnreachable))
        log.error({ error: errorMessage(error) }, "the server did not give the worker any runs");
      await pause(Math.max(RETRY_MS, retryAfterOf(error)), signal);
    }
  }
}

/** One that cannot be read keeps no other from its agent. Its lease ends. */
function readAll(wires: readonly unknown[], { read, log }: WorkOptions): Assignment[] {
  return wires.flatMap((wire) => {
    try {
      return [read(wire)];
    } catch (error) {
      log.error({ error: errorMessage(error) }, "a run could not be taken from the server");
      return [];
    }
  });
}

/**
 * Begins turns once the server has said that they are this process's still: nobody knows for how long the answer to a claim was
 * on its way. Those of which it has not said so fall back.
 */
async function beginConfirmed(
  assignments: readonly Assignment[],
  { client, turns, facts }: WorkOptions,
  beat: Beat,
  signal: AbortSignal,
): Promise<void> {
  if (assignments.length === 0) return;
  const claimed = assignments.map(({ run, ticket }) => ({
    id: run.id,
    ticket,
    isCancelled: false,
    news: "",
  }));
  const askedAt = performance.now();
  const request = {
    facts: { ...facts, executing: turns.size },
    turns: claimed,
    isDraining: false,
    waitMs: 0,
  };
  const answer = await client.beat(request, patienceOf(beat), signal);
  const held = new Set(answer.turns.map(({ id }) => id));
  for (const assignment of assignments) if (held.has(assignment.run.id)) turns.begin(assignment, askedAt);
}

/** A beat that nobody answers for most of a lease ends the agents: the server may soon give their turns to somebody else. */
async function keepBeating(
  { client, turns, facts, draining, log }: WorkOptions,
  beat: Beat,
  signal: AbortSignal,
): Promise<void> {
  let isDraining = false;
  const fence = setInterval(turns.fence, FENCE_LOOK_MS);
  try {
    while (!signal.aborted) {
      const known = turns.known();
      const sentAt = performance.now();
      const replaced = new AbortController();
      beat.again = () => replaced.abort();
      try {
        const request = {
          ...{ facts: { ...facts, executing: known.length }, turns: known, isDraining },
          waitMs: Math.floor(Math.min(MAX_BEAT_WAIT_MS, BEAT_WAIT * beat.leaseMs)),
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

function hearLease(leaseMs: number, beat: Beat, turns: TurnsHere): void {
  beat.leaseMs = leaseMs;
  turns.fenceAfter(FENCE_AT * leaseMs);
}

/** How long the server wants not to be asked, in milliseconds. */
function retryAfterOf(error: unknown): number {
  return error instanceof ServerUnreachable ? error.retryAfterMs : 0;
}

/** For how long an answer is waited for before it is asked for again, in whole milliseconds. */
function patienceOf({ leaseMs }: Beat): number {
  return Math.max(MIN_PATIENCE_MS, Math.floor(leaseMs / 6));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}
