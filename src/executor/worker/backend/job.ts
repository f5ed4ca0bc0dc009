import { type CommitSignal, createCommitSignal } from "../../../concurrency/rounds.ts";
import type { KnownOffer, Offer, OfferState } from "../../../workers/protocol/offer.ts";
import type { JobRequest, StartRequest } from "./program-forms.ts";
import type { StoredJob } from "./stored-jobs.ts";

/** A turn that is executed elsewhere, as this process knows it. */
export interface Job extends StoredJob {
  /** How the run stands, as the server has said last. */
  state: OfferState;
  /** Why the run has not been claimed yet. */
  reason: string | undefined;
  /** Nothing is tried before, on the clock of `performance`. */
  notBefore: number;
  /** When the backend first said that the job has ended, while the run still waited. */
  endedAt: number | undefined;
  /** Since when the turn is over. */
  overSince: number | undefined;
  /** How often `cancel` has failed. */
  cancels: number;
  /** The run stands otherwise than before. */
  news: CommitSignal;
}

export function newJob(offer: Offer): Job {
  return jobOf({ offer, attempt: 1, step: "new", handle: null, failures: 0 });
}

/** A job that an earlier process has left. What that one has given up is tried again. */
export function jobOf(stored: StoredJob): Job {
  const again = stored.step === "given-up" ? { step: "new" as const, failures: 0 } : {};
  return {
    ...{ ...stored, ...again, state: "waiting" },
    ...{ reason: undefined, notBefore: 0, endedAt: undefined, overSince: undefined, cancels: 0 },
    news: createCommitSignal(),
  };
}

export function storedOf({ offer, attempt, step, handle, failures }: Job): StoredJob {
  return { offer, attempt, step, handle, failures };
}

export function keyOf({ id, turn }: Pick<Offer, "id" | "turn">): string {
  return `${id}-${turn}`;
}

/** What the server is told of it. */
export function knownOf({ offer: { id, turn }, state, reason, step }: Job): KnownOffer {
  return {
    ...{ id, turn, state },
    ...(reason === undefined ? {} : { reason: reason.slice(0, 1_000) }),
    ...(step === "given-up" ? { isGivenUp: true } : {}),
  };
}

export function jobRequest({ offer, attempt }: Job): Omit<JobRequest, "version"> {
  return { id: `${keyOf(offer)}-${attempt}`, run_id: offer.id, turn: offer.turn, attempt };
}

/** @param server where this process reaches it @param labels what the worker of the job has to report too */
export function startRequest(
  job: Job,
  { server, labels }: { server: string; labels: readonly string[] },
): Omit<StartRequest, "version"> {
  const { id, factory, workerHost, platform, shape, image, waitingSince } = job.offer;
  const reported = labels.length === 0 ? [] : ["--labels", labels.join(",")];
  return {
    ...jobRequest(job),
    ...{ factory, worker_host: workerHost, platform, image, waiting_since: waitingSince, server },
    shape: shape && { vcpus: shape.vcpus, memory_gb: shape.memoryGb },
    command: ["millrace", "worker", "--once", "--run", id, "--server", server, ...reported],
  };
}
