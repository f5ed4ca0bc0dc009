import { MillraceError } from "../../../errors/error.ts";
import { isUuid, newUuid } from "../../../id.ts";
import {
  MAX_SENT_IN_TURN,
  MAX_TURNS_BY_AGENTS,
  MAX_WAITING,
  type MessageRefusal,
} from "../../../runs/rules/follow-up.ts";
import type { Run } from "../../../runs/run.ts";
import type { RunStore } from "../../../runs/run-store.ts";
import { maskOfCaller } from "../../agent/own-run.ts";
import type { ApiRequest } from "../../http/endpoint.ts";
import { readIdempotencyKey, refuseOtherRequest } from "../../http/idempotency.ts";
import { findRun, noSuchRun } from "../find-run.ts";
import type { RunDeps } from "../run-deps.ts";
import { checkPromptSize } from "../start/agent-config-check.ts";

/**
 * The run that a message is for: one that the caller sees, or the parent of the agent's run, of which it sees nothing else.
 * @throws MillraceError as {@link findRun}; `not_authorized` for the agent's own run
 */
export async function findMessaged(
  request: ApiRequest<"followUp">,
  { runs }: { runs: Pick<RunStore, "find"> },
): Promise<Run> {
  const { caller, path } = request;
  if (caller.kind === "key") return findRun(request, { runs });
  const id = path.runId.toLowerCase();
  if (id === caller.run.id) {
    throw new MillraceError("not_authorized", "An agent cannot send a message to its own run.", {
      remedy: "Name a run that it has started, or its parent run.",
    });
  }
  const isParent = isUuid(id) && id === caller.run.ancestors.at(-1);
  const parent = isParent ? await runs.find(id) : undefined;
  return parent && parent.factoryUid === caller.run.factoryUid ? parent : findRun(request, { runs });
}

/** Gives a run a message. @returns what becomes of it, in the shape of the public API */
export async function followUp(
  run: Run,
  request: Pick<ApiRequest<"followUp">, "caller" | "http" | "body">,
  { runs, queue, masks, now }: RunDeps,
) {
  const { caller } = request;
  const creator = caller.kind === "key" ? caller.key.principal : caller.run.executor;
  // The key of an agent is one of its run: other runs of the same agent have keys of their own.
  const owner = caller.kind === "key" ? creator.uid : caller.run.id;
  const { message, mode, attachments } = request.body;
  checkPromptSize(message, "message");
  if ((mode ?? "normal") !== "normal") throw unsupported("mode", "a message cannot change the mode of a run");
  if (attachments && attachments.length > 0) {
    throw unsupported("attachments", "attachments can only be sent when a run is created");
  }
  const once = readIdempotencyKey(request.http.request, owner, request.body);
  const outcome = await runs.followUp(
    {
      id: newUuid(),
      runId: run.id,
      message: maskOfCaller(caller, masks)(message),
      creator,
      ...(caller.kind === "run" ? { from: caller.run } : {}),
    },
    once,
    now().toISOString(),
  );
  if (!outcome) throw noSuchRun(run.id, request.caller);
  if ("differs" in outcome) return refuseOtherRequest();
  if ("orphaned" in outcome) throw orphaned(run.id);
  if ("refused" in outcome) throw messageRefused(outcome.refused, run);
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

/** Why the message of an agent is not taken, for the agent that reads it. */
function messageRefused(reason: MessageRefusal, { id }: Run): MillraceError {
  const refused = (message: string, remedy: string) =>
    new MillraceError("conflict", message, { remedy, retryable: false, extra: { reason } });
  switch (reason) {
    case "ended":
      return refused("The run of this token is ending, so it can send no more messages.", "End this turn.");
    case "cancelled":
      return refused(
        `Run ${id} was cancelled, and only a person can continue it.`,
        "Start another run, or report that it is needed.",
      );
    case "asks_person":
      return refused(
        `Run ${id} waits for the answer of a person, which an agent cannot give.`,
        "Wait until a person has answered, or cancel the run with its tree.",
      );
    case "sent_enough":
      return refused(
        `The agent has sent ${MAX_SENT_IN_TURN} messages in this turn, which is the limit.`,
        "Send one message instead of many, or write the text to a file in artifacts/.",
      );
    case "woken_enough":
      return refused(
        `The messages of agents have begun ${MAX_TURNS_BY_AGENTS} turns of run ${id}, which is the limit.`,
        "A person can continue it with a follow-up.",
      );
  }
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
