import { timeLimit } from "../../concurrency/promises.ts";
import { errorMessage } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import type { Assignment } from "../../runs/turn/assignment.ts";
import { type Beat, executingOf, hearLease, patienceOf, pause, RETRY_MS, retryAfterOf } from "./beat.ts";
import { neverAnswered, notGot } from "./only-run.ts";
import { ServerRefusal, ServerUnreachable } from "./server-answer.ts";
import type { WorkOptions } from "./work.ts";

const CLAIM_WAIT_MS = 25_000;
/** Claims are at least so far apart. */
const MIN_PAUSE_MS = 100;
/** Of the lease: for so long after a claim was first asked for, its turns are this process's without another word. */
const RECENT = 0.5;
const OTHER_RUN = "The server gave another run than the one of --run. Update millrace on the server.";

/**
 * Takes turns as long as there is room for more; with an only run for as long as that may be waited for.
 * @returns why the only run was not got
 */
export async function keepClaiming(
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
        ...{ claim: claim.id, facts: { ...facts, executing }, free, waitMs: CLAIM_WAIT_MS },
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
