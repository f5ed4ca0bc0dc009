import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import { MOST_WAITING } from "../runs/follow-up.ts";
import type { Run } from "../runs/run.ts";
import { hasEnded } from "../runs/state.ts";
import { checkPromptSize } from "./agent-config-check.ts";
import { type ApiRequest, type Endpoints, keyOf } from "./endpoint.ts";
import { findRun, noSuchRun } from "./find-run.ts";
import { readOnceKey, refuseOtherRequest } from "./once.ts";
import type { RunParts } from "./run-parts.ts";

/** What can be done to a run that exists. */
export function runActionEndpoints(parts: RunParts): Endpoints {
  return {
    followUp: {
      role: "operator",
      handle: async (request) => ({ json: await followUp(await findRun(request, parts), request, parts) }),
    },
    cancelRun: { role: "operator", handle: (request) => cancelRun(request, parts) },
  };
}

/** Gives a run a message. @returns what becomes of it, in the shape of the public API */
export async function followUp(run: Run, request: ApiRequest, { runs, queue, now }: RunParts) {
  const { principal } = keyOf(request);
  const { message, mode, attachments } = request.body;
  checkPromptSize(message, "message");
  if ((mode ?? "normal") !== "normal") throw unsupported("mode", "a run has one mode, normal");
  if (attachments?.length > 0) {
    throw unsupported("attachments", "attachments come with the request that creates a run");
  }
  const once = readOnceKey(request.http.request, principal.uid, request.body);
  const outcome = await runs.followUp(
    { id: newUuid(), runId: run.id, message, creator: principal },
    once,
    now().toISOString(),
  );
  if (!outcome) throw noSuchRun(run.id);
  if ("differs" in outcome) return refuseOtherRequest();
  if ("full" in outcome) {
    throw new MillraceError("payload_too_large", `message: too much waits for run ${run.id} already.`, {
      remedy: `A run holds ${MOST_WAITING} characters of messages that no turn has been given yet.`,
      extra: { field: "message" },
    });
  }
  queue.tell(run.id);
  const { id, result } = outcome;
  return { followup_id: result === "queued_prompt" ? null : id, outcome: result };
}

/** The answer is the bare id (contract, 1.4). A run that a worker has is cancelled when its agent is gone. */
async function cancelRun(request: ApiRequest, { runs, queue, now }: RunParts) {
  keyOf(request);
  const run = await findRun(request, { runs });
  const state = await runs.cancel(run.id, now().toISOString());
  if (state === undefined) throw noSuchRun(run.id);
  if (hasEnded(state) || state === "BLOCKED") {
    throw new MillraceError(
      "invalid_request",
      `Run ${run.id} is ${state}, and cannot be cancelled any more.`,
      {
        remedy: "Only a run that waits or works can be cancelled.",
      },
    );
  }
  queue.cancel(run.id);
  return { json: run.id };
}

function unsupported(field: string, why: string): MillraceError {
  return new MillraceError("operation_not_supported", `${field} is not supported here: ${why}.`, {
    extra: { field },
  });
}
