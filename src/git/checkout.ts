import type { SimpleGit } from "simple-git";
import { localGitEnvironment } from "./git-environment.ts";
import type { GitLimits } from "./open-git.ts";
import { refuseHugeTree } from "./read-tree.ts";

/** A place in the history of a repository: a ref, a commit, or both. */
export interface Checkout {
  /** A full name, such as `refs/heads/main` or `refs/pull/7/head`. */
  ref?: string;
  /** The commit that the ref had at an event, as a full hash; without it, the one that the ref has now. */
  commit?: string;
  /** The local branch that the commit is checked out as. Without it, HEAD is detached. */
  branch?: string;
}

/** The repository of an event, and where in its history the event happened. */
export interface EventCheckout extends Checkout {
  ref: string;
  /** `owner/name`. */
  repository: string;
  /** Whether the commit is of another repository, whose owner may be anybody. */
  fromFork?: true;
}

/** What whoever starts a run asks for. */
export interface RequestedCheckout {
  /** `owner/name`. */
  repository: string;
  /** A branch, a tag, a commit or a full name such as `refs/pull/7/head`. */
  ref: string;
}

/** What was checked out. */
export interface CheckedOut {
  commit: string;
  /** Whether the commit of the event is gone from its ref, so that the ref's present one was taken. */
  hasMoved: boolean;
}

/** Where a mirror keeps a ref that is neither a branch nor a tag, so that no clone has it unless it asks. */
export function keptRef(ref: string): string {
  return isBranchOrTag(ref) ? ref : ref.replace(/^refs\//, "refs/millrace/");
}

export function isBranchOrTag(ref: string): boolean {
  return /^refs\/(heads|tags)\//.test(ref);
}

/**
 * Checks a clone of a mirror out, which has no files yet, on its default branch or where an event says. Nothing of the repository
 * is executed: the caller's environment keeps hooks and filters away.
 * @param mirror the folder of the mirror, which has the ref of the checkout
 * @returns what an event has led to
 * @throws what git says, when the ref and the commit are gone; SourceError `GIT_REFUSED` when there are too many files
 */
export async function checkOut(
  git: SimpleGit,
  mirror: string,
  checkout: Checkout | undefined,
  limits: GitLimits,
): Promise<CheckedOut | undefined> {
  const refuseHuge = (commit: string) =>
    refuseHugeTree(commit, { ...localGitEnvironment(), GIT_DIR: mirror }, limits);
  if (!checkout) {
    const head = await commitAt(git, "HEAD");
    if (head === undefined) return undefined;
    await refuseHuge(head);
    await git.raw(["checkout", "--progress"]);
    return undefined;
  }
  const { ref, branch } = checkout;
  if (ref !== undefined && !isBranchOrTag(ref)) {
    const refspec = `+${keptRef(ref)}:${refInClone(ref)}`;
    await git.raw(["fetch", "--no-tags", "--no-write-fetch-head", "--", mirror, refspec]);
  }
  const asked = checkout.commit === undefined ? undefined : await commitAt(git, checkout.commit);
  const tip = ref === undefined ? checkout.commit : refInClone(ref);
  const commit = asked ?? (await git.raw(["rev-parse", "--verify", `${tip}^{commit}`])).trim();
  await refuseHuge(commit);
  const how = branch === undefined ? ["--detach", commit] : ["-B", branch, commit];
  await git.raw(["checkout", "--progress", ...how]);
  if (branch !== undefined && (await commitAt(git, `refs/remotes/origin/${branch}`)))
    await git.raw(["branch", "--quiet", `--set-upstream-to=origin/${branch}`, branch]);
  return { commit, hasMoved: checkout.commit !== undefined && asked === undefined };
}

/** What a ref of the remote is called in a clone of it. */
function refInClone(ref: string): string {
  if (ref.startsWith("refs/tags/")) return ref;
  return ref.replace(/^refs\/(heads\/)?/, "refs/remotes/origin/");
}

async function commitAt(git: SimpleGit, name: string): Promise<string | undefined> {
  const id = await git.raw(["rev-parse", "--verify", "--quiet", `${name}^{commit}`]).catch(() => "");
  return id.trim() === "" ? undefined : id.trim();
}

/** Whether an event happened in a repository, or a checkout is of it. Forges take no notice of case in its name. */
export function isOfRepository(
  { owner, name }: { owner: string; name: string },
  checkout: Pick<EventCheckout, "repository"> | undefined,
): boolean {
  return checkout?.repository.toLowerCase() === `${owner}/${name}`.toLowerCase();
}
