import { errorsInOneLine, type Problem } from "../definitions/problem.ts";
import { MillraceError } from "../error.ts";
import { MILLRACE, type OwnBranch } from "../git/own-branch.ts";
import type { Tree } from "../git/revision.ts";
import { attempt } from "./attempt.ts";
import { authorOf } from "./author.ts";
import { unavailable } from "./edits/refuse-edit.ts";
import type { FactoryStore } from "./factory.ts";
import type { Outcome } from "./outcome.ts";
import { pastTree } from "./past-tree.ts";
import type { ReconcileParts, Subject } from "./subject.ts";

/**
 * Brings a revision into force again that was in force before, with the secrets as they are now. The factory is
 * suspended in the same transaction, or the next look at the source would undo it.
 * @throws MillraceError when it cannot be; then all stays as it was
 */
export async function rollBack(given: string, subject: Subject, parts: ReconcileParts): Promise<Outcome> {
  const { factory } = subject;
  const revision = await findApplied(given, factory.uid, parts.store);
  const { branch } = subject.source;
  if (revision === factory.sync.appliedRevision && !(await isBuried(branch, revision))) {
    // It is in force: what is left to do is to hold it.
    await parts.store.suspend(factory.uid, parts.now().toISOString());
    return { kind: "unchanged" };
  }
  // Whoever asks for a revision by its hash means what it lacks.
  const meant = { ...subject, request: { ...subject.request, allowsDeletes: [""] } };
  const tree = await pastTree(revision, subject.source);
  if (branch === undefined) return attemptPast(tree, revision, meant, parts);
  const [parent, committed] = await commitAgain(branch, revision, subject, parts).catch(unavailable);
  const outcome = await attemptPast(committed, revision, meant, parts);
  // Where this fails, the next look at the branch does it.
  if (outcome.kind === "applied") await branch.advance(parent, committed.revision.id).catch(() => {});
  return outcome;
}

/** Whether somebody has pushed a commit onto it, which would come into force with the next resume. */
async function isBuried(branch: OwnBranch | undefined, revision: string): Promise<boolean> {
  return branch !== undefined && (await branch.settle(revision).catch(unavailable)) !== revision;
}

async function attemptPast(
  tree: Tree,
  revision: string,
  subject: Subject,
  parts: ReconcileParts,
): Promise<Outcome> {
  const outcome = await attempt(tree, subject, "rollback", parts);
  if (outcome.kind === "refused") throw notValidNow(revision, outcome.problems);
  return outcome;
}

/** In a repository that millrace keeps, going back is one more commit, so that what is edited next goes on from there. */
async function commitAgain(
  branch: OwnBranch,
  revision: string,
  { factory, request }: Subject,
  { now }: ReconcileParts,
): Promise<[parent: string, committed: Tree]> {
  const parent = await branch.settle(factory.sync.appliedRevision);
  const committed = await branch.commit({
    parent,
    treeOf: revision,
    edits: [],
    author: request.principal ? authorOf(request.principal) : MILLRACE,
    message: `Roll back to ${revision.slice(0, 12)}`,
    at: now(),
  });
  return [parent, committed];
}

/** The full hash of a revision that was in force. */
async function findApplied(
  given: string,
  factoryUid: string,
  store: Pick<FactoryStore, "findAttempts">,
): Promise<string> {
  const found = await store.findAttempts(factoryUid, given, 10);
  const revisions = [...new Set(found.map(({ revision }) => revision))];
  const applied = found.filter(({ outcome }) => outcome === "applied").map(({ revision }) => revision);
  const [only, another] = applied;
  if (another !== undefined) {
    throw new MillraceError(
      "invalid_request",
      `Several revisions that were in force begin with "${given}".`,
      {
        remedy: "Give more of its characters.",
        extra: { field: "revision" },
      },
    );
  }
  if (only !== undefined) return only;
  const remedy = "`millrace history` shows the revisions that were.";
  if (revisions.length > 0) {
    const message = `The revision ${revisions[0]} was tried and never in force, so nothing can go back to it.`;
    throw new MillraceError("conflict", message, { remedy, retryable: false });
  }
  throw new MillraceError("resource_not_found", `No revision that was in force begins with "${given}".`, {
    remedy,
  });
}

function notValidNow(revision: string, problems: readonly Problem[]): MillraceError {
  const message = `The revision ${revision.slice(0, 12)} is not valid on this server now: ${errorsInOneLine(problems)}.`;
  return new MillraceError("conflict", message, {
    remedy: "Put that right, or go back to another revision; `millrace history` shows all problems.",
    retryable: false,
  });
}
