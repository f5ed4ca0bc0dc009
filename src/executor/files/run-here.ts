import { FILE_JOBS } from "./file-jobs.ts";
import type { FileWorker } from "./file-worker.ts";

/** Does jobs in this process, for folders that are known to be small. */
export const runHere: Pick<FileWorker, "run"> = {
  async run(job, options) {
    const begun = performance.now();
    const make = FILE_JOBS[job] as (given: unknown) => Generator<void, never>;
    const steps = make(options);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return { result: value, spentMs: performance.now() - begun };
    }
  },
};
