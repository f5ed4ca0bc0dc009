import { join } from "node:path";
import { findUsage } from "../workspace/workspace-usage.ts";
import type { Workspaces } from "../workspace/workspaces.ts";

/** How long the workspace of a turn that has ended waits for the next turn of its run. */
const KEEP_MS = 24 * 60 * 60_000;

/** Removes workspaces in which no turn has ended for a day: a later turn of such a run starts in a new one. */
export async function sweepWorkspaces(
  workspaces: Pick<Workspaces, "folder" | "list" | "remove">,
  now: () => Date,
): Promise<void> {
  for (const runId of await workspaces.list()) {
    const usage = await findUsage(join(workspaces.folder, runId));
    if (usage && usage.endedAtMs < now().getTime() - KEEP_MS) await workspaces.remove(runId);
  }
}
