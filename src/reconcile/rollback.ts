import { errorsInOneLine, type Problem } from "../definitions/problem.ts";
import { MillraceError } from "../errors/error.ts";
import { type ManagedBranch, MILLRACE } from "../git/managed/managed-branch.ts";
import type { Tree } from "../git/revision.ts";
import type { FactoryStore } from "./factory.ts";
import { authorOf, unavailable } from "./managed-edits/edit.ts";
import type { Moved, Outcome, Request } from "./outcome.ts";
import { pastTree } from "./past-tree.ts";
import { attempt } from "./reconcile.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";

/** Whoever asks for a revision by its hash means what it lacks. */
export const ROLLBACK: Pick<Request, "allowsDeletes"> = { allowsDeletes: [""] };

/**
 * Brings a revision into force again that was in force before, with the secrets as they are now. The factory is
 * suspended in the same transaction, or the next look at the source would undo it.
 * @returns "moved" when something else has come into force since it was planned
 * @throws MillraceError when it cannot be; then all stays as it was
 */
export async function rollBack(
  given: string,
  subject: Subject,
  deps: ReconcileDeps,
): Promise<Outcome | Moved> {
  const { factory } = subject;
  const revision = await findApplied(given, factory.uid, deps.store);
  const { branch } = subject.source;
  if (revision === factory.sync.appliedRevision && !(await isBuried(branch, revision))) {
    // It is in force: what is left to do is to hold it.
    await deps.store.suspend(factory.uid, deps.now().toISOString());
    return { kind: "unchanged" };
  }
  const meant = { ...subject, request: { ...subject.request, ...ROLLBACK } };
  const tree = await pastTree(revision, subject, deps.store);
  if (branch === undefined) return attemptPast(tree, revision, meant, deps);
  const [parent, committed] = await commitAgain(branch, revision, subject, deps).catch(unavailable);
  const outcome = await attemptPast(committed, revision, meant, deps);
  // Where this fails, the next look at the branch does it.
  if (outcome !== "moved" && outcome.kind === "applied")
    await branch.advance(parent, committed.revision.id).catch(() => {});
  return outcome;
}

/** Whether somebody has pushed a commit onto it, which would come into force with the next resume. */
async function isBuried(branch: ManagedBranch | undefined, revision: string): Promise<boolean> {
  return branch !== undefined && (await branch.settle(revision).catch(unavailable)) !== revision;
}

async function attemptPast(
  tree: Tree,
  revision: string,
  subject: Subject,
  deps: ReconcileDeps,
): Promise<Outcome | Moved> {
  const outcome = await attempt(tree, subject, "rollback", deps);
  if (outcome !== "moved" && outcome.kind === "refused") throw notValidNow(revision, outcome.problems);
  return outcome;
}

/** In a repository that millrace keeps, going back is one more commit, so that what is edited next goes on from there. */
async function commitAgain(
  branch: ManagedBranch,
  revision: string,
  { factory, request }: Subject,
  { now }: ReconcileDeps,
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

/**
 * The full hash of a revision that was in force.
 * @throws MillraceError `resource_not_found`, `conflict` or `invalid_request` that says why there is not one such revision
 */
export async function findApplied(
  given: string,
  factoryUid: string,
  store: Pick<FactoryStore, "findAttempts">,
): Promise<string> {
  const found = await store.findAttempts(factoryUid, given, 10);
  const revisions = [...new Set(found.map(({ revision }) => revision))];
  const applied = found.filter(({ outcome }) => outcome === "applied").map(({ revision }) => revision);
  const [only, another] = applied;
  if (another !== undefined) {
    throw new MillraceError("invalid_request", `Several applied revisions start with "${given}".`, {
      remedy: "Specify more characters of the hash.",
      extra: { field: "revision" },
    });
  }
  if (only !== undefined) return only;
  const remedy = "`millrace history` shows the applied revisions.";
  if (revisions.length > 0) {
    const message = `The revision ${revisions[0]} was attempted but never applied, so it cannot be rolled back to.`;
    throw new MillraceError("conflict", message, { remedy, retryable: false });
  }
  throw new MillraceError("resource_not_found", `No applied revision starts with "${given}".`, {
    remedy,
  });
}

function notValidNow(revision: string, problems: readonly Problem[]): MillraceError {
  const message = `The revision ${revision.slice(0, 12)} is not valid on this server now: ${errorsInOneLine(problems)}.`;
  return new MillraceError("conflict", message, {
    remedy: "Fix these problems, or roll back to another revision; `millrace history` shows all problems.",
    retryable: false,
  });
}
