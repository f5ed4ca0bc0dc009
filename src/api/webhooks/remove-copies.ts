import type { Workspaces } from "../../executor/workspace/workspaces.ts";
import { EVENT_PAYLOAD, joinedPayloadName } from "../../runs/rules/workspace-names.ts";
import type { RunStore } from "../../runs/run-store.ts";

interface CopyDeps {
  runs: Pick<RunStore, "find" | "listIdsByDelivery" | "findRunDelivery">;
  workspaces: Pick<Workspaces, "removeFrom" | "holds">;
}

/**
 * Removes the bodies of deliveries from the workspaces of their runs. None of those works, and a turn that one begins now is
 * given none. What a crash leaves of them goes with the workspaces.
 */
export async function removeCopies(deliveryIds: readonly string[], deps: CopyDeps): Promise<void> {
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
