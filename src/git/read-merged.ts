import type { SimpleGit } from "simple-git";
import { mergeRequest } from "./merge-request.ts";
import { readCommitTree, readRevision } from "./read-commit.ts";
import type { RepositoryOptions } from "./repository.ts";
import type { Tree } from "./revision.ts";

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
