import { type Problem, treeProblem } from "../definitions/problem.ts";
import { errorMessage } from "../error.ts";
import { SourceError, SourceStopped, type Tree } from "../git/revision.ts";
import { attempt } from "./attempt.ts";
import type { FactoryRecord, SyncState } from "./factory.ts";
import type { Outcome, Reason } from "./outcome.ts";
import type { ReconcileParts, Subject } from "./subject.ts";

/**
 * Looks at the source once. What is new there comes into force with everything that belongs to it, or leaves all as it
 * was and its problems on record. Whatever ends it early is recorded too: a factory that cannot be reconciled must not
 * look as if it were.
 */
export async function reconcile(subject: Subject, reason: Reason, parts: ReconcileParts): Promise<Outcome> {
  if (subject.factory.sync.status === "suspended") return lookAtHeld(subject, reason, parts);
  try {
    await subject.source.branch?.settle(subject.factory.sync.appliedRevision);
    const tree = await subject.source.latest();
    if (!isNews(tree, subject.factory, reason)) return { kind: "unchanged" };
    return await attempt(tree, subject, reason, parts);
  } catch (error) {
    if (error instanceof SourceStopped) return { kind: "unchanged" };
    const problems = [whyNothingWasAttempted(error)];
    await parts.store.recordUnreadable(subject.factory.uid, problems);
    return { kind: "unreadable", problems };
  }
}

/**
 * The source of a suspended factory is left alone. At the start, what is in force is still looked at as this version
 * reads it, where its revision is at hand.
 */
async function lookAtHeld(subject: Subject, reason: Reason, parts: ReconcileParts): Promise<Outcome> {
  const { appliedRevision } = subject.factory.sync;
  if (reason !== "start" || appliedRevision === null) return { kind: "unchanged" };
  try {
    return await attempt(await subject.source.past(appliedRevision), subject, reason, parts);
  } catch {
    return { kind: "unchanged" };
  }
}

function isNews(tree: Tree, { mode, sync }: FactoryRecord, reason: Reason): boolean {
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

function whyNothingWasAttempted(error: unknown): Problem {
  if (error instanceof SourceError) return treeProblem(error.code, error.message);
  const message =
    `the definition could not be brought into force: ${errorMessage(error)}. ` +
    "The last one stays in force, and this is tried again";
  return treeProblem("RECONCILE_FAILED", message);
}
