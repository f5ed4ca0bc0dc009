import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../../../errors/error.ts";
import type { Log } from "../../../log.ts";
import { formProblem } from "../../../workers/protocol/form-problem.ts";
import { OFFERS_ANSWER_SCHEMA, type Offer } from "../../../workers/protocol/offer.ts";

/**
 * new: no program was called for it. starting: `start` was called, and may have worked. started: it has. given-up: nothing more
 * is tried until the worker starts again.
 */
export const JOB_STEPS = ["new", "starting", "started", "given-up"] as const;

/** What a worker remembers of a turn that it has executed elsewhere: a later process goes on from there. */
export interface StoredJob {
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
