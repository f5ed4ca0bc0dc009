import { rm } from "node:fs/promises";
import { join } from "node:path";
import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { DeliveryStore } from "../ingress/delivery.ts";
import { inBatches } from "../maintenance.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { RunStore } from "../runs/run.ts";
import { hasEnded, type RunState } from "../runs/state.ts";
import type { TranscriptStore } from "../runs/transcript.ts";
import { EVENT_PAYLOAD } from "../runs/workspace/own-names.ts";
import type { Workspaces } from "../runs/workspace/workspaces.ts";
import { findDelivery } from "./deliveries.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { findFactory } from "./factories.ts";
import { type FactoryDeletionParts, factoryDeletionEndpoints } from "./factory-deletion.ts";
import { findRun, noSuchRun } from "./find-run.ts";
import { findWebhook } from "./webhooks.ts";

export interface DeletionParts extends FactoryDeletionParts {
  runs: RunStore;
  deliveries: DeliveryStore;
  transcripts: Pick<TranscriptStore, "forget">;
  factories: Factories;
  workspaces: Pick<Workspaces, "remove" | "removeFrom">;
  /** Where the files of artifacts are kept. */
  artifacts: string;
}

/** What is deleted before its time, because somebody asks for it. */
export function deletionEndpoints(parts: DeletionParts): Endpoints {
  return {
    ...factoryDeletionEndpoints(parts),
    deleteRun: { role: "admin", handle: (request) => deleteRun(request, parts) },
    deletePayload: { role: "admin", handle: (request) => deletePayload(request, parts) },
    deleteDeliveries: { role: "admin", handle: (request) => deleteDeliveries(request, parts) },
  };
}

/**
 * The run first: whatever a crash leaves of the rest belongs to no run any more, and goes with the next round of retention.
 */
async function deleteRun(request: ApiRequest, parts: DeletionParts) {
  const { id } = await findRun(request, parts);
  const outcome = await parts.runs.forgetRun(id);
  if (!outcome) throw noSuchRun(id);
  if (!outcome.isGone) throw notOver(id, outcome.state);
  await inBatches((limit) => parts.transcripts.forget([id], limit), undefined);
  await rm(join(parts.artifacts, id), { recursive: true, force: true });
  await parts.workspaces.remove(id);
  return { status: 204 } as const;
}

function notOver(id: string, state: RunState): MillraceError {
  if (hasEnded(state)) {
    const message = `Run ${id} is ${state}, and its worker is not done with it yet.`;
    return new MillraceError("conflict", message, { remedy: "Try again in a moment." });
  }
  return new MillraceError("conflict", `Run ${id} is ${state}: only a run that has ended is deleted.`, {
    remedy: "Cancel it, and delete it when it has ended.",
    retryable: false,
  });
}

async function deletePayload(request: ApiRequest, parts: DeletionParts) {
  const { id } = await findDelivery(request, parts);
  if (await parts.deliveries.forgetPayload(id)) {
    await removeCopies([id], parts);
    return { status: 204 } as const;
  }
  throw new MillraceError("conflict", `A run of the delivery ${id} has not ended, and needs its payload.`, {
    remedy: "Cancel the run, or wait for its end.",
    retryable: false,
  });
}

/** What comes while they are deleted stays. */
async function deleteDeliveries(request: ApiRequest, parts: DeletionParts) {
  const { uid } = findWebhook(request, findFactory(request, parts.factories));
  const upTo = newUuid();
  let deleted = 0;
  await inBatches(async (limit) => {
    const gone = await parts.deliveries.forgetDeliveries(uid, upTo, limit);
    await removeCopies(gone, parts);
    deleted += gone.length;
    return gone.length;
  }, undefined);
  return { json: { deleted, kept: await parts.deliveries.findCount(uid, upTo) } };
}

/**
 * Removes the bodies of deliveries from the workspaces of the runs that they have started. None of those works, and a turn
 * that one begins now is given none. What a crash leaves of them goes with the workspaces.
 */
async function removeCopies(
  deliveryIds: readonly string[],
  { runs, workspaces }: DeletionParts,
): Promise<void> {
  const runIds = Object.values(await runs.listIdsByDelivery(deliveryIds)).flat();
  for (const runId of runIds) await workspaces.removeFrom(runId, EVENT_PAYLOAD);
}
