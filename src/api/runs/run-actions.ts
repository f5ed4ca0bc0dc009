import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import { MAX_WAITING } from "../../runs/rules/follow-up.ts";
import { hasEnded } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import { type ApiRequest, type Endpoints, keyOf } from "../http/endpoint.ts";
import { readIdempotencyKey, refuseOtherRequest } from "../http/idempotency.ts";
import { checkPromptSize } from "./agent-config-check.ts";
import { dismissRun } from "./dismiss-run.ts";
import { findRun, noSuchRun } from "./find-run.ts";
import type { RunDeps } from "./run-deps.ts";

/** What can be done to a run that exists. */
export function runActionEndpoints(deps: RunDeps) {
  return {
    followUp: {
      handle: async (request) => ({ json: await followUp(await findRun(request, deps), request, deps) }),
    },
    cancelRun: { handle: (request) => cancelRun(request, deps) },
    dismissRun: { handle: (request) => dismissRun(request, deps) },
  } satisfies Endpoints;
}

/** Gives a run a message. @returns what becomes of it, in the shape of the public API */
export async function followUp(
  run: Run,
  request: Pick<ApiRequest<"followUp">, "caller" | "http" | "body">,
  { runs, queue, now }: RunDeps,
) {
  const { principal } = keyOf(request);
  const { message, mode, attachments } = request.body;
  checkPromptSize(message, "message");
  if ((mode ?? "normal") !== "normal") throw unsupported("mode", "the only mode of a run is normal");
  if (attachments && attachments.length > 0) {
    throw unsupported("attachments", "attachments can only be sent when a run is created");
  }
  const once = readIdempotencyKey(request.http.request, principal.uid, request.body);
  const outcome = await runs.followUp(
    { id: newUuid(), runId: run.id, message, creator: principal },
    once,
    now().toISOString(),
  );
  if (!outcome) throw noSuchRun(run.id);
  if ("differs" in outcome) return refuseOtherRequest();
  if ("orphaned" in outcome) throw orphaned(run.id);
  if ("full" in outcome) {
    throw new MillraceError(
      "payload_too_large",
      `message: too many characters are already waiting for run ${run.id}.`,
      {
        remedy: `A run accepts up to ${MAX_WAITING} characters of messages not yet passed to a turn. Wait for its next turn.`,
        extra: { field: "message" },
      },
    );
  }
  queue.notify(run.id);
  const { id, result } = outcome;
  return { followup_id: result === "queued_prompt" ? null : id, outcome: result };
}

/** The answer is the bare id (contract, 1.4). A run that a worker has is cancelled when its agent is gone. */
async function cancelRun(request: ApiRequest<"cancelRun">, { runs, queue, meter, now }: RunDeps) {
  keyOf(request);
  const run = await findRun(request, { runs });
  const state = await runs.cancel(run.id, now().toISOString());
  if (state === undefined) throw noSuchRun(run.id);
  if (hasEnded(state) || state === "BLOCKED") {
    throw new MillraceError("invalid_request", `Run ${run.id} is ${state} and can no longer be cancelled.`, {
      remedy:
        state === "BLOCKED"
          ? `Answer its question with a follow-up, or end it with \`millrace runs dismiss ${run.id}\` (POST /agent/runs/${run.id}/dismiss).`
          : "Only a queued or running run can be cancelled.",
    });
  }
  if (state === "QUEUED") meter.ended(run, "CANCELLED", undefined);
  queue.cancel(run.id);
  return { json: run.id };
}

/** Nothing would give a further turn its secrets, its agent and its caps. */
function orphaned(id: string): MillraceError {
  return new MillraceError(
    "conflict",
    `Run ${id} belongs to a deleted factory, so it cannot start another turn.`,
    {
      remedy: "Create a new run in another factory with `millrace runs create --factory NAME`.",
      retryable: false,
    },
  );
}

function unsupported(field: string, why: string): MillraceError {
  return new MillraceError("operation_not_supported", `${field} is not supported here: ${why}.`, {
    extra: { field },
  });
}
