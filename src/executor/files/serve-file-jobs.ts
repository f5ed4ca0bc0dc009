import { errorMessage } from "../../errors/error.ts";
import { lowerPriority } from "../../platform/processes.ts";
import { FILE_JOBS, type FromFileWorker, type ToFileWorker } from "./file-jobs.ts";

/** A job works for so long before the next one has its turn: a small folder does not wait for a huge one. */
const SLICE_MS = 10;
/** Between two looks at the clock. */
const STEPS = 32;

interface Begun {
  id: number;
  steps: Generator<void, unknown>;
  spentMs: number;
}

/**
 * The file worker: a process of its own that reads and changes the folders of runs, whatever number of files agents
 * have put there. It does one thing at a time, jobs taking turns, and ends with the server that has started it.
 */
export function serveFileJobs(): void {
  // What takes deliveries goes first where there is not enough of the machine for all.
  lowerPriority();
  const jobs: Begun[] = [];
  let isWorking = false;

  function work(): void {
    const job = jobs.shift();
    isWorking = job !== undefined;
    if (!job) return;
    const begun = performance.now();
    const outcome = advance(job, begun + SLICE_MS);
    job.spentMs += performance.now() - begun;
    if (outcome) send({ ...outcome, id: job.id, spentMs: job.spentMs });
    else jobs.push(job);
    // Messages come in between two slices.
    setImmediate(work);
  }

  process.on("message", (message: ToFileWorker) => {
    if (message.ask === "drop") return drop(jobs, message.id);
    const make = FILE_JOBS[message.job] as (options: unknown) => Generator<void, unknown>;
    jobs.push({ id: message.id, steps: make(message.options), spentMs: 0 });
    if (!isWorking) work();
  });
  // The server has ended; no one waits for anything.
  process.on("disconnect", () => process.exit());
  // A terminal and a service manager send these to all processes; the server ends this one.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
}

function advance({ steps }: Begun, until: number): { result: unknown } | { failure: string } | undefined {
  try {
    do {
      for (let step = 0; step < STEPS; step += 1) {
        const { done, value } = steps.next();
        if (done) return { result: value };
      }
    } while (performance.now() < until);
    return undefined;
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}

function drop(jobs: Begun[], id: number): void {
  const at = jobs.findIndex((job) => job.id === id);
  const [dropped] = at < 0 ? [] : jobs.splice(at, 1);
  // Its open files are closed.
  dropped?.steps.return(undefined);
}

function send(message: FromFileWorker): void {
  process.send?.(message, undefined, {}, () => {});
}
