import { errorMessage } from "../../errors/error.ts";
import { type Beat, executingOf, hearLease, patienceOf, pause, RETRY_MS, retryAfterOf } from "./beat.ts";
import { ServerRefusal, ServerUnreachable } from "./server-answer.ts";
import type { WorkOptions } from "./work.ts";

const MAX_BEAT_WAIT_MS = 10_000;
/**
 * Of the lease, for which a beat is held at most. A beat counts from when it was sent: a server that goes away just before it
 * answers was heard two waits ago, and has to be there again before the agents are ended.
 */
const BEAT_WAIT = 1 / 12;
/** Beats are at least so far apart: news that come in a row are told together. */
const MIN_PAUSE_MS = 100;
const FENCE_LOOK_MS = 250;

/** A beat that nobody answers for most of a lease ends the agents: the server may soon give their turns to somebody else. */
export async function keepBeating(options: WorkOptions, beat: Beat, signal: AbortSignal): Promise<void> {
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
          ...{ facts: { ...facts, executing: executingOf(options) }, turns: known, isDraining },
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
