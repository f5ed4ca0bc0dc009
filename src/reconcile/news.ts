import type { Tree } from "../git/revision.ts";
import type { FactoryRecord, FactoryStore, SyncState } from "./factory.ts";
import type { Reason } from "./outcome.ts";

/** Whether there is anything to attempt: a revision that was not attempted yet, or a reason to attempt it again. */
export function isNews(tree: Tree, { mode, sync }: FactoryRecord, reason: Reason): boolean {
  if (tree.revision.id !== sync.attemptedRevision || reason === "start" || endedEarly(sync)) return true;
  if (reason === "sync" && mode === "folder") return true;
  // Of what is in force, only what there is to warn of can be another: credentials stay as they were taken.
  if (reason === "secret") return true;
  return (reason === "sync" || reason === "resume") && sync.status === "failed";
}

/** Whether the last pass came to no result, so that the status says nothing of the revision. */
function endedEarly({ problems }: SyncState): boolean {
  return problems.some(({ code }) => code.startsWith("GIT_") || code === "RECONCILE_FAILED");
}

/**
 * Whether a pass only looks again at what is in force: then webhooks keep the credentials that they were applied with.
 * Who syncs a folder wants them read anew.
 */
export async function isRecheck(
  { revision }: Tree,
  { uid, mode, sync }: FactoryRecord,
  reason: Reason,
  store: FactoryStore,
): Promise<boolean> {
  if (revision.id !== sync.appliedRevision) return false;
  if (sync.status === "suspended" && reason === "start") return true;
  if (revision.id !== sync.attemptedRevision) return false;
  if (reason === "sync" && mode === "folder") return false;
  const newest = await store.listRevisions(uid, { limit: 10 });
  return newest.find((attempt) => attempt.reason !== "rollback")?.outcome !== "failed";
}
