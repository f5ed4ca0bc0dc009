import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage, MillraceError } from "../../../errors/error.ts";
import { newUid } from "../../../id.ts";
import type { ClaimAnswer } from "../../../workers/protocol/messages.ts";
import type { Offer, OffersAnswer } from "../../../workers/protocol/offer.ts";
import type { ProcessFacts } from "../../../workers/worker.ts";
import { type DoorClient, ServerRefusal, ServerUnreachable } from "../door-client.ts";
import { type Job, jobOf, keyOf, knownOf, newJob, storedOf } from "./job.ts";
import { type TendDeps, tendJob } from "./tend-job.ts";

export interface DispatchOptions extends Omit<TendDeps, "isDraining" | "heardAt" | "ask" | "onChange"> {
  client: Pick<DoorClient, "claim" | "beat">;
  /** What this process is, without how many jobs it has at the moment. */
  facts: Omit<ProcessFacts, "executing">;
}

const WAIT_MS = 25_000;
const RETRY_MS = 1_000;
/** Changes that come in a row are told together. */
const MIN_PAUSE_MS = 100;
const LEAVE_MS = 2_000;

/**
 * Has the runs that wait executed elsewhere, until the worker stops. What was started goes on then.
 * @throws ServerRefusal when the server does not know the worker
 */
export async function dispatch(options: DispatchOptions): Promise<void> {
  const { client, facts, jobs, stop, log } = options;
  const live = new Map<string, Job>();
  const tended = new Set<Promise<void>>();
  let isDraining = false;
  let heardAt = Number.NEGATIVE_INFINITY;
  let isUrgent = true;
  let replaced = new AbortController();
  const failed = new AbortController();
  const ends = AbortSignal.any([stop, failed.signal]);
  const onChange = () => replaced.abort();
  const deps: TendDeps = {
    ...options,
    stop: ends,
    onChange,
    isDraining: () => isDraining,
    heardAt: () => heardAt,
    ask() {
      isUrgent = true;
      replaced.abort();
    },
  };
  const withJobs = () => [...live.values()].filter(({ step }) => step !== "given-up").length;

  function tend(job: Job): void {
    const work = tendJob(job, deps)
      .catch((error) => {
        log.error({ run: job.offer.id, error: errorMessage(error) }, "a job could not be looked after");
      })
      .finally(() => {
        tended.delete(work);
        if (ends.aborted) return;
        live.delete(keyOf(job.offer));
        onChange();
      });
    tended.add(work);
  }

  async function add(offer: Offer): Promise<void> {
    if (live.has(keyOf(offer))) return;
    const job = newJob(offer);
    await jobs.keep(storedOf(job));
    live.set(keyOf(offer), job);
    tend(job);
  }

  async function ask(): Promise<{ answer: ClaimAnswer & { offers: OffersAnswer }; free: number }> {
    const signal = AbortSignal.any([ends, replaced.signal]);
    const executing = withJobs();
    const free = Math.max(0, facts.concurrency - executing);
    const waitMs = isUrgent ? 0 : WAIT_MS;
    isUrgent = false;
    const offers = { free, known: [...live.values()].map(knownOf), isDraining };
    const request = { claim: newUid(), facts: { ...facts, executing }, free: 0, waitMs, offers };
    const answer = await client.claim(request, signal);
    if (!answer.offers) throw noOffers();
    return { answer: { ...answer, offers: answer.offers }, free };
  }

  for (const stored of await jobs.list()) live.set(keyOf(stored.offer), jobOf(stored));
  const found = [...live.values()];
  if (found.length > 0) log.info({ jobs: found.length }, "jobs of an earlier process were found");
  try {
    while (!ends.aborted) {
      replaced = new AbortController();
      const sentAt = performance.now();
      try {
        const { answer, free } = await ask();
        heardAt = sentAt;
        isDraining = answer.isDraining;
        for (const { id, turn, state } of answer.offers.known) {
          const job = live.get(keyOf({ id, turn }));
          if (!job || job.state === state) continue;
          job.state = state;
          job.news.committed();
        }
        // Of those that were there before, nothing was known until now.
        for (const job of found.splice(0)) tend(job);
        for (const offer of answer.offers.offers.slice(0, free)) await add(offer);
      } catch (error) {
        if (ends.aborted) break;
        if (!replaced.signal.aborted) await sayWhy(error);
      }
      await pause(MIN_PAUSE_MS);
    }
  } catch (error) {
    failed.abort();
    throw error;
  } finally {
    await Promise.all(tended);
    await leave();
  }

  async function sayWhy(error: unknown): Promise<void> {
    if (error instanceof MillraceError || (error instanceof ServerRefusal && error.isOfWorker)) throw error;
    if (!(error instanceof ServerUnreachable))
      log.error({ error: errorMessage(error) }, "the server did not offer the worker any runs");
    await pause(RETRY_MS);
  }

  async function leave(): Promise<void> {
    const last = {
      facts: { ...facts, executing: withJobs() },
      turns: [],
      isDraining,
      waitMs: 0,
      isLeaving: true,
    };
    await client.beat(last, LEAVE_MS, AbortSignal.timeout(LEAVE_MS)).catch(() => {});
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: ends }).catch(() => {});
  }
}

function noOffers(): MillraceError {
  return new MillraceError(
    "operation_not_supported",
    "The server does not offer waiting runs, which MILLRACE_SANDBOX=command needs.",
    { remedy: "Update millrace on the server." },
  );
}
