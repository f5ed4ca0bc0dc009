import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type CommitSignal, createCommitSignal } from "../../../concurrency/rounds.ts";
import { errorMessage } from "../../../errors/error.ts";
import type { Log } from "../../../log.ts";
import { formProblem } from "../../../workers/protocol/answers.ts";
import {
  type KnownOffer,
  OFFERS_ANSWER_SCHEMA,
  type Offer,
  type OfferState,
} from "../../../workers/protocol/offer.ts";
import type { JobRequest, StartRequest } from "./program-forms.ts";

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
    ...stored,
    ...again,
    state: "waiting",
    reason: undefined,
    notBefore: 0,
    endedAt: undefined,
    overSince: undefined,
    cancels: 0,
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
    id,
    turn,
    state,
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
    factory,
    worker_host: workerHost,
    platform,
    image,
    waiting_since: waitingSince,
    server,
    shape: shape && { vcpus: shape.vcpus, memory_gb: shape.memoryGb },
    command: ["millrace", "worker", "--once", "--run", id, "--server", server, ...reported],
  };
}

/**
 * new: no program was called for it. starting: `start` was called, and may have worked. started: it has. given-up: nothing more
 * is tried until the worker starts again.
 */
export const JOB_STEPS = ["new", "starting", "started", "given-up"] as const;

/** What a worker remembers of a turn that it has executed elsewhere: a later process goes on from there. */
interface StoredJob {
  offer: Offer;
  /** A job that has ended without its run makes room for another one, with the next number. */
  attempt: number;
  step: (typeof JOB_STEPS)[number];
  handle: string | null;
  /** How often it has failed. */
  failures: number;
}

/** Keeps a file for each turn. */
export interface StoredJobs {
  list(): Promise<StoredJob[]>;
  keep(job: StoredJob): Promise<void>;
  forget(offer: Pick<Offer, "id" | "turn">): Promise<void>;
}

const SCHEMA = {
  type: "object",
  required: ["offer", "attempt", "step", "handle", "failures"],
  properties: {
    offer: OFFERS_ANSWER_SCHEMA.properties.offers.items,
    attempt: { type: "integer", minimum: 1 },
    step: { enum: JOB_STEPS },
    handle: { type: ["string", "null"] },
    failures: { type: "integer", minimum: 0 },
  },
};

export async function openStoredJobs(dataFolder: string, log: Log): Promise<StoredJobs> {
  const folder = join(dataFolder, "jobs");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fileOf = ({ id, turn }: Pick<Offer, "id" | "turn">) => join(folder, `${id}-${turn}.json`);

  async function read(name: string): Promise<StoredJob[]> {
    try {
      const job = JSON.parse(await readFile(join(folder, name), "utf8"));
      const problem = formProblem(SCHEMA, job);
      if (problem !== undefined) throw new Error(problem);
      return [job as StoredJob];
    } catch (error) {
      log.error({ file: join(folder, name), error: errorMessage(error) }, "a job could not be read; skipped");
      return [];
    }
  }

  return {
    async list() {
      const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
      return (await Promise.all(names.map(read))).flat();
    },
    async keep(job) {
      const file = fileOf(job.offer);
      const written = await open(`${file}.new`, "w", 0o600);
      try {
        await written.writeFile(JSON.stringify(job));
        // A handle that is lost in a power failure is a machine that nobody ends.
        await written.sync();
      } finally {
        await written.close();
      }
      await rename(`${file}.new`, file);
    },
    forget: (offer) => rm(fileOf(offer), { force: true }),
  };
}
