import type { Request } from "express";
import type { Models } from "../../client/typed-paths.ts";
import { refuseOtherRequest } from "../../runs/idempotency.ts";
import type { NewRun } from "../../runs/run.ts";
import type { RunSource } from "../../runs/run-source.ts";
import { CLIENT_HEADER } from "../http/api-header.ts";
import { type ApiRequest, keyOf } from "../http/endpoint.ts";
import { readIdempotencyKey } from "../http/idempotency.ts";
import type { RunDeps } from "./find-run.ts";

/** A run to be stored, and the answer made out of what its creation tells. */
export interface PreparedRun {
  run: NewRun;
  shape?: (answer: Models["RunAgentResponse"]) => object;
}

/**
 * Stores a run and wakes the queue. Sent again with the same Idempotency-Key, a request is answered as it was then,
 * whatever has become meanwhile of what it names.
 */
export async function startRun(
  request: Pick<ApiRequest, "caller" | "http" | "body">,
  deps: Pick<RunDeps, "runs" | "queue" | "pauses" | "now">,
  prepare: () => Promise<PreparedRun>,
): Promise<{ jsonText: string }> {
  const { runs } = deps;
  const { principal } = keyOf(request);
  const once = readIdempotencyKey(request.http.request, principal.uid, request.body);
  const before = once && (await runs.findAnswer(once));
  if (before) return "differs" in before ? refuseOtherRequest() : { jsonText: before.answer };

  return storeRun(await prepare(), deps, async (run, answer, at) => {
    // Another one with the same key may have come meanwhile: the store decides who is first.
    const outcome = once ? await runs.createOnce(run, once, answer, at) : undefined;
    if (outcome && "differs" in outcome) return refuseOtherRequest();
    // One whose factory was deleted meanwhile is cancelled already, and takes no room.
    return outcome ?? { answer, isNew: (await runs.create(run, at)).state === "QUEUED" };
  });
}

/**
 * Answers with a run that is to be stored, and wakes the queue for it.
 * @param store stores it with its answer, unless the same request has done so before
 */
export async function storeRun(
  { run, shape = (answer) => answer }: PreparedRun,
  { queue, pauses, now }: Pick<RunDeps, "queue" | "pauses" | "now">,
  store: (run: NewRun, answer: string, at: string) => Promise<{ answer: string; isNew: boolean }>,
): Promise<{ jsonText: string }> {
  // A run that waits for the end of a pause, of an hour or of a day takes no room from those that wait for another one to end.
  const at_capacity =
    pauses.isPaused(run) ||
    (await queue.isHourFull(run.factoryUid)) ||
    (await queue.isBudgetUsedUp(run)) ||
    (await queue.expect(run));
  const answer = JSON.stringify(shape({ run_id: run.id, task_id: run.id, state: "QUEUED", at_capacity }));
  let isStored = false;
  try {
    const outcome = await store(run, answer, now().toISOString());
    isStored = outcome.isNew;
    return { jsonText: outcome.answer };
  } finally {
    if (isStored) queue.wake();
    else queue.forget(run.id);
  }
}

const SOURCES: Readonly<Record<string, RunSource>> = { cli: "CLI", web: "WEB_APP" };

export function sourceOf(request: Request): RunSource {
  return SOURCES[String(request.headers[CLIENT_HEADER])] ?? "API";
}
