import { type IdempotencyKey, type IdempotencyOutcome, refuseOtherRequest } from "../idempotency.ts";
import type { ChildStart, StartOutcome } from "../rules/family.ts";
import type { NewRun } from "../run.ts";
import type { StartDeps } from "./start-run.ts";

/** What a request for a run is answered with, in the form of the public API. */
export interface StartedRun {
  run_id: string;
  task_id: string;
  state: "QUEUED";
  /** Whether it has to wait for another run to end. */
  at_capacity: boolean;
}

/**
 * The answer to a request that was sent before, whatever has become meanwhile of what it names.
 * @returns nothing for one that is new
 * @throws MillraceError `conflict` when its key was used for another request
 */
export async function answerBefore(
  once: IdempotencyKey | null,
  { runs }: Pick<StartDeps, "runs">,
): Promise<string | undefined> {
  const before = once ? await runs.findAnswer(once) : undefined;
  if (before && "differs" in before) return refuseOtherRequest();
  return before?.answer;
}

type StoreDeps = Pick<StartDeps, "runs" | "queue" | "pauses" | "now">;

/**
 * Stores a run together with the answer to its request, and wakes the queue for it.
 * @param shape what the answer says, where that is not as usual
 * @returns the answer; the first one, when the same request has come meanwhile
 * @throws MillraceError `conflict` when its key was used for another request meanwhile
 */
export async function storeRun(
  run: NewRun,
  once: IdempotencyKey | null,
  deps: StoreDeps,
  shape: (started: StartedRun) => object = (started) => started,
): Promise<string> {
  const answer = JSON.stringify(shape(await expectRun(run, deps)));
  const outcome = await settled(run, create(run, once, answer, deps), deps);
  if ("differs" in outcome) return refuseOtherRequest();
  return outcome.answer;
}

async function create(
  run: NewRun,
  once: IdempotencyKey | null,
  answer: string,
  { runs, now }: StoreDeps,
): Promise<IdempotencyOutcome> {
  const at = now().toISOString();
  // Another one with the same key may have come meanwhile: the store decides who is first.
  if (once) return runs.createOnce(run, once, answer, at);
  // One whose factory was deleted meanwhile is cancelled already, and takes no room.
  return { answer, isNew: (await runs.create(run, at)).state === "QUEUED" };
}

/** Stores a run that the agent of another one starts, unless a bound of its family refuses it. */
export async function storeChild(
  run: NewRun,
  start: Omit<ChildStart, "answer">,
  deps: StoreDeps,
): Promise<StartOutcome> {
  const answer = JSON.stringify(await expectRun(run, deps));
  return settled(run, deps.runs.startChild(run, { ...start, answer }, deps.now().toISOString()), deps);
}

/** Takes a place in the queue for a run that is about to be stored. */
async function expectRun(run: NewRun, { pauses, queue }: StoreDeps): Promise<StartedRun> {
  // A run that waits for the end of a pause, of an hour or of a day takes no room from those that wait for another one to end.
  const at_capacity =
    pauses.isPaused(run) ||
    (await queue.isHourFull(run.factoryUid)) ||
    (await queue.isBudgetUsedUp(run)) ||
    (await queue.expect(run));
  return { run_id: run.id, task_id: run.id, state: "QUEUED", at_capacity };
}

/** Wakes the queue for a run once it is stored; one that was not stored gives its place back. */
async function settled<Outcome extends object>(
  { id }: NewRun,
  storing: Promise<Outcome>,
  { queue }: StoreDeps,
): Promise<Outcome> {
  let isStored = false;
  try {
    const outcome = await storing;
    isStored = "isNew" in outcome && outcome.isNew === true;
    return outcome;
  } finally {
    if (isStored) queue.wake();
    else queue.forget(id);
  }
}
