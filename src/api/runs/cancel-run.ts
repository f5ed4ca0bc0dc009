import { MillraceError } from "../../errors/error.ts";
import { hasEnded, type RunState } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import type { ApiRequest, Called } from "../http/endpoint.ts";
import { findRun, noSuchRun } from "./find-run.ts";
import type { RunDeps } from "./run-deps.ts";
import { tellEnd } from "./tell-end.ts";

type CancelDeps = Pick<RunDeps, "runs" | "queue" | "meter" | "now">;

/** The answer is the bare id (contract, 1.4). A run that a worker has is cancelled when its agent is gone. */
export async function cancelRun(request: ApiRequest<"cancelRun">, deps: CancelDeps) {
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
