import { inBatches } from "../../concurrency/periodic-jobs.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Workspaces } from "../../executor/workspace/workspaces.ts";
import { newUuid } from "../../id.ts";
import type { DeliveryStore } from "../../ingress/delivery.ts";
import type { PullRequestStore } from "../../insight/pull-request.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { ArtifactBytes } from "../../runs/output/artifact-bytes.ts";
import type { TranscriptStore } from "../../runs/output/transcript.ts";
import { hasEnded, type RunState } from "../../runs/rules/state.ts";
import { EVENT_PAYLOAD, joinedPayloadName } from "../../runs/rules/workspace-names.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type FactoryDeletionDeps, factoryDeletionEndpoints, findFactory } from "../factories/factories.ts";
import type { ApiRequest, Endpoints } from "../http/endpoint.ts";
import { findRun, noSuchRun } from "../runs/find-run.ts";
import { findDelivery } from "./deliveries.ts";
import { findWebhook } from "./webhooks.ts";

export interface DeletionDeps extends FactoryDeletionDeps {
  runs: RunStore;
  deliveries: DeliveryStore;
  transcripts: Pick<TranscriptStore, "forget">;
  pullRequests: Pick<PullRequestStore, "forgetEventsOf">;
  factories: Factories;
  workspaces: Pick<Workspaces, "remove" | "removeFrom" | "holds">;
  /** Where the files of artifacts are kept. */
  artifacts: Pick<ArtifactBytes, "removeRun">;
  now: () => Date;
}

/** What is deleted before its time, because somebody asks for it. */
export function deletionEndpoints(deps: DeletionDeps) {
  return {
    ...factoryDeletionEndpoints(deps),
    deleteRun: { handle: (request) => deleteRun(request, deps) },
    deletePayload: { handle: (request) => deletePayload(request, deps) },
    deleteDeliveries: { handle: (request) => deleteDeliveries(request, deps) },
  } satisfies Endpoints;
}

/**
 * The run first: whatever a crash leaves of the rest belongs to no run any more, and goes with the next round of retention.
 */
async function deleteRun(request: ApiRequest<"deleteRun">, deps: DeletionDeps) {
  const { id } = await findRun(request, deps);
  const outcome = await deps.runs.forgetRun(id, deps.now().toISOString());
  if (!outcome) throw noSuchRun(id, request.caller);
  if (!outcome.isGone) throw notOver(id, outcome.state);
  await inBatches((limit) => deps.transcripts.forget([id], limit), undefined);
  await deps.artifacts.removeRun(id);
  await deps.workspaces.remove(id);
  return { status: 204 } as const;
}

function notOver(id: string, state: RunState): MillraceError {
  if (hasEnded(state)) {
    const message = `Run ${id} is ${state}, but its worker has not finished with it yet.`;
    return new MillraceError("conflict", message, { remedy: "Try again in a moment." });
  }
  return new MillraceError("conflict", `Run ${id} is ${state}; only a run that has ended can be deleted.`, {
    remedy:
      state === "BLOCKED"
        ? `End it with \`millrace runs dismiss ${id}\` (POST /agent/runs/${id}/dismiss), and delete it then.`
        : `Cancel it with \`millrace runs cancel ${id}\`, and delete it after it has ended.`,
    retryable: false,
  });
}

async function deletePayload(request: ApiRequest<"deletePayload">, deps: DeletionDeps) {
  const { id } = await findDelivery(request, deps);
  if (await deps.deliveries.forgetPayload(id)) {
    await removeCopies([id], deps);
    return { status: 204 } as const;
  }
  throw new MillraceError("conflict", `A run of the delivery ${id} has not ended and needs the payload.`, {
    remedy: "Cancel the run, or wait until it ends.",
    retryable: false,
  });
}

/** What comes while they are deleted stays. */
async function deleteDeliveries(request: ApiRequest<"deleteDeliveries">, deps: DeletionDeps) {
  const factory = findFactory(request, deps.factories);
  const webhook = { factoryUid: factory.record.uid, uid: findWebhook(request, factory).uid };
  const upTo = newUuid();
  let deleted = 0;
  await inBatches(async (limit) => {
    const gone = await deps.deliveries.forgetDeliveries(webhook, upTo, limit, deps.now().toISOString());
    await removeCopies(gone, deps);
    deleted += gone.length;
    return gone.length;
  }, undefined);
  // What they said about pull requests is kept for longer than they are.
  await inBatches((limit) => deps.pullRequests.forgetEventsOf(webhook, upTo, limit), undefined);
  return { json: { deleted, kept: await deps.deliveries.findCount(webhook, upTo) } };
}

interface CopyDeps {
  runs: Pick<RunStore, "find" | "listIdsByDelivery" | "findRunDelivery">;
  workspaces: Pick<Workspaces, "removeFrom" | "holds">;
}

/**
 * Removes the bodies of deliveries from the workspaces of their runs. None of those works, and a turn that one begins now is
 * given none. What a crash leaves of them goes with the workspaces.
 */
async function removeCopies(deliveryIds: readonly string[], deps: CopyDeps): Promise<void> {
  const { runs, workspaces } = deps;
  for (const [deliveryId, runIds] of Object.entries(await runs.listIdsByDelivery(deliveryIds))) {
    for (const runId of runIds) {
      const given = await runs.findRunDelivery(runId, deliveryId);
      if (given) await workspaces.removeFrom(runId, joinedPayloadName(given.position, deliveryId));
      if (!given || (await mayBeLatest(runId, deliveryId, deps)))
        await workspaces.removeFrom(runId, EVENT_PAYLOAD);
    }
  }
}

/** Whether the file of the newest delivery may have the body of this one. */
async function mayBeLatest(
  runId: string,
  deliveryId: string,
  { runs, workspaces }: CopyDeps,
): Promise<boolean> {
  const newestId = (await runs.find(runId))?.deliveryId ?? deliveryId;
  const newest = newestId === deliveryId ? undefined : await runs.findRunDelivery(runId, newestId);
  // A delivery that came as a message to an agent at work is in no file until another turn begins.
  return (
    newest === undefined || !(await workspaces.holds(runId, joinedPayloadName(newest.position, newestId)))
  );
}
