import type { SimpleGit } from "simple-git";
import { errorMessage } from "../errors/error.ts";
import { containsCommit, readCommitTree, readRevision } from "./commits.ts";
import { fetchReference } from "./fetch-reference.ts";
import { refuseHugeTree } from "./read-tree.ts";
import type { RepositoryOptions } from "./repository.ts";
import { SourceError, type Tree } from "./revision.ts";

/** What would be in force after a merge; a branch that has gone on without the pull request loses nothing in it. */
export async function readMerged(
  git: SimpleGit,
  pullRequest: number,
  options: RepositoryOptions,
  environment: Record<string, string>,
): Promise<Tree> {
  const { url, branch, path } = options;
  const { head, base, tree } = await mergeRequest(git, { url, branch, pullRequest }, environment);
  const merged = await readCommitTree(
    git,
    await readRevision(git, head),
    { ...options, root: tree },
    environment,
  );
  const [before, after] = await Promise.all([base, tree].map((root) => hashOfFolder(git, root, path)));
  return { ...merged, isUntouched: before === after };
}

/** Nothing for a folder that is not there. */
function hashOfFolder(git: SimpleGit, root: string, path: string): Promise<string> {
  const name = path === "." ? `${root}^{tree}` : `${root}:${path}`;
  return git.raw(["rev-parse", "--verify", "--quiet", "--end-of-options", name]).catch(() => "");
}

/** A pull request, and the branch that it would be merged into. */
export interface MergeQuestion {
  url: string;
  branch: string;
  pullRequest: number;
}

/** What a branch would be with a pull request merged into it. */
export interface MergeResult {
  /** The commit at the head of the pull request. */
  head: string;
  /** The commit of the branch that it was merged with. */
  base: string;
  /** The tree that came out of it; no commit holds it. */
  tree: string;
}

const MAX_NAMED = 5;

/**
 * Merges a pull request into the branch, both as the remote has them now. That happens in the object database: there is no
 * working tree, and a merge driver would have to stand in the configuration, which is ours.
 * @param git in a mirror of the repository, with this environment
 * @throws SourceError `GIT_REF_MISSING` when there is no such pull request, `GIT_CONFLICT` when it cannot be merged, `GIT_REFUSED`
 * when one of both has too many files for that
 */
async function mergeRequest(
  git: SimpleGit,
  question: MergeQuestion,
  environment: Record<string, string>,
): Promise<MergeResult> {
  const { url, branch, pullRequest } = question;
  const head = await fetchReference(git, url, { pullRequest });
  const base = await fetchReference(git, url, { ref: `refs/heads/${branch}` });
  // Nothing to merge: what git would write anew is read as it is, also where it is made to be wrong.
  if (await containsCommit(git, head, base)) return { head, base, tree: await treeOf(git, head) };
  for (const commit of [head, base]) await refuseHugeTree(commit, environment);
  const said = await git
    .raw(["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", base, head])
    .catch((error) => refuse(error, question));
  const [tree = "", ...conflicting] = said.split("\0").filter((part) => part !== "");
  if (conflicting.length > 0) throw conflict(question, ` in ${list(conflicting)}`);
  const written = await treeOf(git, tree).catch(() => undefined);
  if (written === undefined) throw conflict(question, ", in paths that git cannot write");
  return { head, base, tree };
}

async function treeOf(git: SimpleGit, name: string): Promise<string> {
  return (await git.raw(["rev-parse", "--verify", "--end-of-options", `${name}^{tree}`])).trim();
}

function refuse(error: unknown, question: MergeQuestion): never {
  const said = errorMessage(error);
  if (/unrelated histories/i.test(said)) throw conflict(question, ", with which it has no history in common");
  if (/usage: git merge-tree|unknown option/i.test(said)) {
    throw new SourceError("GIT_REFUSED", "Merging pull requests requires git 2.38 or later: update git.");
  }
  throw error;
}

function conflict({ branch, pullRequest }: MergeQuestion, how: string): SourceError {
  return new SourceError(
    "GIT_CONFLICT",
    `Pull request ${pullRequest} conflicts with the branch "${branch}"${how}: update the pull request from the branch.`,
  );
}

function list(paths: readonly string[]): string {
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : "";
  return `${paths.slice(0, MAX_NAMED).join(", ")}${more}`;
}
