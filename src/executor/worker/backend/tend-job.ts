import { waitAfter } from "../../../concurrency/rounds.ts";
import { errorMessage } from "../../../errors/error.ts";
import type { Log } from "../../../log.ts";
import type { BackendProgram } from "./backend-program.ts";
import { type Job, jobRequest, keyOf, type StoredJobs, startRequest, storedOf } from "./job.ts";
import type { StatusAnswer } from "./program-forms.ts";

export interface JobTimes {
  /** How often the backend is asked how a job stands. */
  pollMs: number;
  /** After the first failure; twice as long after each further one. */
  retryMs: number;
  /** How long a job may take to end after its turn has. */
  graceMs: number;
}

export const JOB_TIMES: JobTimes = { pollMs: 5_000, retryMs: 5_000, graceMs: 60_000 };

export interface TendDeps {
  program: BackendProgram;
  jobs: StoredJobs;
  server: string;
  labels: readonly string[];
  /** Whether nothing new is to be started. */
  isDraining(): boolean;
  /** When the server was asked what it has answered last, on the clock of `performance`. */
  heardAt(): number;
  /** Asks the server at once how the runs stand. */
  ask(): void;
  /** The server is to hear of the job. */
  onChange(): void;
  /** Aborts when nothing more is to be done. */
  stop: AbortSignal;
  /** Aborts when calls of the program have to end too. */
  abort: AbortSignal;
  times: JobTimes;
  log: Log;
}

const MAX_FAILURES = 6;
const MAX_CANCELS = 5;
/** The server says when something changes. */
const REST_MS = 60_000;

/** Has a turn executed elsewhere, until it is over or the worker stops. */
export async function tendJob(job: Job, deps: TendDeps): Promise<void> {
  while (!deps.stop.aborted) {
    const restMs = await step(job, deps);
    if (restMs === undefined) return;
    await job.news.next(restMs, deps.stop);
  }
}

/** @returns after how long the next step follows; nothing when there is nothing more to do */
async function step(job: Job, deps: TendDeps): Promise<number | undefined> {
  if (job.state === "over") return end(job, deps);
  if (job.state === "executing") {
    if (job.reason !== undefined) explain(job, undefined, deps);
    return REST_MS;
  }
  if (job.step === "given-up") return REST_MS;
  const left = job.notBefore - performance.now();
  if (left > 0) return left;
  return job.step === "started" ? look(job, deps) : start(job, deps);
}

async function start(job: Job, deps: TendDeps): Promise<number> {
  const { program, times, log } = deps;
  if (deps.isDraining()) return times.pollMs;
  // Written down first: a process that crashes in between asks for the same job again.
  await keep(job, { step: "starting" }, deps);
  try {
    const { handle = null } = await program.start(startRequest(job, deps), deps.abort);
    await keep(job, { step: "started", handle }, deps);
    log.info({ run: job.offer.id, job: jobRequest(job).id }, "a job was started for a run");
    return times.pollMs;
  } catch (error) {
    return deps.abort.aborted ? REST_MS : failed(job, errorMessage(error), {}, deps);
  }
}

/** Looks whether the job is still on its way to its run. */
async function look(job: Job, deps: TendDeps): Promise<number> {
  const { program, times } = deps;
  const request = { ...jobRequest(job), handle: job.handle };
  try {
    const { state, reason } = await program.status(request, deps.abort);
    if (state === "pending" || state === "running") {
      job.endedAt = undefined;
      explain(job, reason, deps);
      return times.pollMs;
    }
    job.endedAt ??= performance.now();
    if (deps.isDraining()) return times.pollMs;
    // The run may have been executed meanwhile, and the server's answer be on its way.
    if (deps.heardAt() <= job.endedAt) {
      deps.ask();
      return times.pollMs;
    }
    const why = `the job ended (${state}) without executing the run${reason === undefined ? "" : `: ${reason}`}`;
    return failed(job, why, { attempt: job.attempt + 1, step: "new", handle: null }, deps);
  } catch (error) {
    // The job may be well.
    if (!deps.abort.aborted) explain(job, errorMessage(error), deps);
    return times.pollMs;
  }
}

async function failed(job: Job, reason: string, changes: Partial<Job>, deps: TendDeps): Promise<number> {
  const failures = job.failures + 1;
  const { id } = job.offer;
  job.endedAt = undefined;
  if (failures < MAX_FAILURES) {
    const restMs = waitAfter(failures, { firstMs: deps.times.retryMs });
    job.notBefore = performance.now() + restMs;
    await keep(job, { ...changes, failures }, deps);
    explain(job, `attempt ${failures} of ${MAX_FAILURES}: ${reason}`, deps);
    return restMs;
  }
  // A start that has failed may have made something.
  if (job.step === "starting") await cancel(job, deps).catch(() => {});
  await keep(job, { ...changes, failures, step: "given-up" }, deps);
  explain(job, reason, deps);
  deps.log.error({ run: id, failures }, "no job is started any more for the run until this worker restarts");
  return REST_MS;
}

/** The turn is over: what was started for it must not stay. */
async function end(job: Job, deps: TendDeps): Promise<number | undefined> {
  const { times, log } = deps;
  job.overSince ??= performance.now();
  try {
    if (job.step === "starting" || job.step === "started") {
      const state = await stateOf(job, deps);
      // Its worker has executed the turn, or hears that there is none: it is about to end by itself.
      if (state === "running" && performance.now() - job.overSince < times.graceMs) return times.pollMs;
      if (state !== "succeeded" && state !== "failed") await cancel(job, deps);
    }
  } catch (error) {
    if (deps.abort.aborted) return REST_MS;
    job.cancels += 1;
    const what = { run: job.offer.id, job: jobRequest(job).id, error: errorMessage(error) };
    if (job.cancels < MAX_CANCELS) {
      log.warn(what, "a job could not be cancelled; it is tried again");
      return waitAfter(job.cancels, { firstMs: times.retryMs });
    }
    log.error(what, "a job could not be cancelled, and may still be there");
  }
  await deps.jobs.forget(job.offer);
  return undefined;
}

async function stateOf(job: Job, { program, abort }: TendDeps): Promise<StatusAnswer["state"]> {
  // What a start has made that was not answered may be found by its id only, if at all.
  const otherwise = job.step === "starting" ? "unknown" : "running";
  const request = { ...jobRequest(job), handle: job.handle };
  const { state } = await program.status(request, abort).catch(() => ({ state: otherwise }) as const);
  return state;
}

async function cancel(job: Job, { program, abort, log }: TendDeps): Promise<void> {
  await program.cancel({ ...jobRequest(job), handle: job.handle }, abort);
  log.info({ run: job.offer.id, job: jobRequest(job).id }, "a job was cancelled");
}

async function keep(job: Job, changes: Partial<Job>, { jobs }: TendDeps): Promise<void> {
  Object.assign(job, changes);
  await jobs.keep(storedOf(job));
}

/** Says, once, why the run has not been claimed yet. */
function explain(job: Job, reason: string | undefined, { log, onChange }: TendDeps): void {
  if (job.reason === reason) return;
  job.reason = reason;
  if (reason !== undefined) log.warn({ job: keyOf(job.offer), reason }, "a run waits for its job");
  onChange();
}
