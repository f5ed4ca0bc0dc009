import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { visibleTo } from "../../runs/caller.ts";
import type { EndedMember } from "../../runs/rules/family.ts";
import { hasEnded, type RunState } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import { repeatedRun, runAgain } from "../../runs/start/run-again.ts";
import { type ApiRequest, type Called, type Endpoints, keyOf, sentKey } from "../http/endpoint.ts";
import { longPoll } from "../http/long-poll.ts";
import { findMessaged, followUp } from "./conversations.ts";
import { findRun, noSuchRun, type RunDeps } from "./find-run.ts";
import { belongingsOf, runItem } from "./run-item.ts";

/** What can be done to a run that exists. */
export function runActionEndpoints(deps: RunDeps) {
  return {
    followUp: {
      handle: async (request) => ({ json: await followUp(await findMessaged(request, deps), request, deps) }),
    },
    cancelRun: { handle: (request) => cancelRun(request, deps) },
    dismissRun: { handle: (request) => dismissRun(request, deps) },
    planRunAgain: { handle: async (request) => ({ json: await planOf(request, deps) }) },
    runAgain: {
      async handle(request) {
        const run = await findRun(request, deps);
        const { body, http } = request;
        const asked = { sent: sentKey(http.request), body, creator: keyOf(request).principal };
        return { jsonText: await runAgain(run, asked, deps) };
      },
    },
  } satisfies Endpoints;
}

type CancelDeps = Pick<RunDeps, "runs" | "queue" | "meter" | "now">;

/** The answer is the bare id (contract, 1.4). A run that a worker has is cancelled when its agent is gone. */
async function cancelRun(request: ApiRequest<"cancelRun">, deps: CancelDeps) {
  const run = await findRun(request, deps);
  refuseOwnEnd(request, run);
  if (request.query.tree) return cancelTree(run, request, deps);
  const state = await deps.runs.cancel(run.id, deps.now().toISOString());
  if (state === undefined) throw noSuchRun(run.id, request.caller);
  if (hasEnded(state) || state === "BLOCKED") throw notCancellable(run, state, request);
  tellEnd({ run, state }, deps);
  return { json: run.id };
}

/** Ends a run that may have ended with everything that descends from it, also what is started meanwhile. */
async function cancelTree(run: Run, { caller }: Called, deps: CancelDeps) {
  const { runs, now } = deps;
  const by = caller.kind === "key" ? caller.key.principal : caller.run.executor;
  const within = caller.kind === "key" ? caller.key.factories : null;
  const agentOf = caller.kind === "key" ? null : caller.run;
  let isAnyEnded = false;
  let after: string | undefined;
  do {
    const end = { rootId: run.id, by: { by }, within, agentOf };
    const batch = await runs.cancelTree(end, after, now().toISOString());
    for (const member of batch.ended) tellEnd(member, deps);
    isAnyEnded ||= batch.ended.length > 0;
    after = batch.last;
  } while (after !== undefined);
  if (!isAnyEnded && hasEnded(run.state)) throw notCancellable(run, run.state, { caller });
  return { json: run.id };
}

function notCancellable({ id }: Run, state: RunState, { caller }: Pick<Called, "caller">): MillraceError {
  return new MillraceError("invalid_request", `Run ${id} is ${state} and can no longer be cancelled.`, {
    remedy:
      state === "BLOCKED"
        ? blockedInstead(id)[caller.kind]
        : "Only a queued or running run can be cancelled.",
  });
}

/** Only a person answers or dismisses a question. An agent ends the run with all that descends from it. */
const blockedInstead = (id: string): Record<Called["caller"]["kind"], string> => ({
  key: `Answer its question with a follow-up, or end it with \`millrace runs dismiss ${id}\` (POST /agent/runs/${id}/dismiss).`,
  run: `It waits for the answer of a person. To end it together with the runs that descend from it, call \`cancel_agent\` with \`tree\`, or \`millrace agent cancel ${id} --tree\`.`,
});

/** An agent ends what descends from its run; it ends its own run by ending. */
function refuseOwnEnd({ caller }: Called, { id }: Run): void {
  if (caller.kind === "key" || caller.run.id !== id) return;
  throw new MillraceError("not_authorized", `The agent of run ${id} cannot cancel its own run.`, {
    remedy: "Exit to end the turn.",
  });
}

/** An agent that waits for an answer is given a few seconds to end, and its files are copied. */
const WAIT = "15s";

/** Ends a run that waits for an answer; one whose agent waits too ends when that is gone. */
async function dismissRun(request: ApiRequest<"dismissRun">, deps: RunDeps) {
  const { runs, now } = deps;
  const { principal } = keyOf(request);
  const found = await findRun(request, deps);
  const reason = request.body?.reason;
  const dismissal = { by: principal, ...(reason === undefined ? {} : { reason }) };
  const state = await runs.dismiss(found.id, dismissal, now().toISOString());
  if (state === undefined) throw noSuchRun(found.id, request.caller);
  if (state !== "BLOCKED") {
    throw new MillraceError(
      "invalid_request",
      `Run ${found.id} is ${state}, so there is no question to dismiss.`,
      {
        remedy:
          "Only a BLOCKED run can be dismissed. Use `millrace runs cancel` to end a queued or running run.",
      },
    );
  }
  tellEnd({ run: found, state }, deps);
  const look = async () => (await runs.find(found.id)) ?? found;
  const waiting = { http: request.http, caller: request.caller, query: { wait: WAIT } };
  const run = await longPoll(
    waiting,
    deps.commits,
    look,
    ({ cancelRequestedAt, isLeased }) => cancelRequestedAt !== null && isLeased,
  );
  const belongings = await belongingsOf([run], deps, visibleTo(request.caller));
  return { json: runItem(run, belongings(run), deps, request.caller) };
}

/**
 * Tells those who count and execute runs that the end of one was asked for. Whatever ends runs from outside calls this for
 * each of them: a cancellation, a dismissal, and the end of a family or of a task.
 * @param state the state that the run was in
 */
export function tellEnd(
  { run, state }: EndedMember,
  { queue, meter }: Pick<RunDeps, "queue" | "meter">,
): void {
  // A run that a worker has is counted when its agent is gone.
  if (state === "QUEUED" || !run.isLeased) meter.ended(run, "CANCELLED", undefined);
  queue.cancel(run.id);
  // Its end may have begun the next turn of a run that waited for it.
  queue.wake();
}

/** What would be started, without starting it. */
async function planOf(request: ApiRequest<"planRunAgain">, deps: RunDeps): Promise<Models["RunAgainPlan"]> {
  const before = await findRun(request, deps);
  const { run, automation, environmentSecrets } = await repeatedRun(before, keyOf(request).principal, deps);
  const factory = run.factoryUid === null ? undefined : deps.factories.find(run.factoryUid);
  const attachments = await deps.runs.listAttachments(before.id);
  return {
    run_id: before.id,
    based_on: automation ? "automation" : "request",
    title: run.title,
    source: run.source,
    attachments: attachments.map(({ name }) => name),
    secrets: [...new Set([...run.execution.secrets, ...environmentSecrets])],
    is_paused: deps.pauses.isPaused(run),
    ...(factory ? { factory: factory.record.name } : {}),
    ...(automation ? { automation: automation.name, automation_enabled: automation.enabled } : {}),
    ...(run.agentUid === null ? {} : { agent: run.executor.displayName }),
    ...(before.deliveryId === null ? {} : { delivery_id: before.deliveryId }),
    ...(run.schedule ? { schedule: run.schedule.name } : {}),
  };
}
