import type { SimpleGit } from "simple-git";
import { errorMessage } from "../errors/error.ts";
import { storable } from "../platform/storable-text.ts";
import { containsCommit, readTrailers } from "./commits.ts";
import { DEFINITION_LISTING, listTree } from "./list-tree.ts";
import { readBlobs } from "./read-blobs.ts";
import { type Revision, SourceError, type Tree, type TreeEntry } from "./revision.ts";

/** What a name stands for. */
export async function readRevision(git: SimpleGit, name: string): Promise<Revision> {
  const format = "--format=%H%x00%an <%ae>%x00%s";
  const shown = await git.raw(["log", "-1", "--no-show-signature", format, name, "--"]);
  const [id = "", author, message] = shown.split("\0");
  // Anybody who may push chooses them, and a character that is cut in two is none.
  return storable({ id, author: author?.slice(0, 300), message: message?.slice(0, 300) });
}

/** What of a commit is read, and for how long git may say nothing. */
export interface ReadPlace {
  /** The folder of the definition, `.` for all. */
  path: string;
  /** The tree that holds that folder, when it is not the commit's own. */
  root?: string;
  signal?: AbortSignal;
  silenceLimitMs?: number;
}

/**
 * The tree of a commit, below a folder of it.
 * @param environment git's own, which names the repository
 * @throws SourceError `GIT_PATH_MISSING`
 */
export async function readCommitTree(
  git: SimpleGit,
  revision: Revision,
  { path, root = revision.id, signal, silenceLimitMs }: ReadPlace,
  environment: Record<string, string>,
): Promise<Tree> {
  const treeish = path === "." ? root : `${root}:${path}`;
  const limits = { ...(signal && { signal }), ...(silenceLimitMs !== undefined && { silenceLimitMs }) };
  const entries = await listTree(treeish, environment, DEFINITION_LISTING, limits).catch((error) => {
    if (!/not a (valid object name|tree object)/i.test(errorMessage(error))) throw error;
    throw new SourceError(
      "GIT_PATH_MISSING",
      `There is no folder "${path}" at commit ${revision.id}: set the definition's folder with --path.`,
    );
  });
  return committedTree(git, revision, entries, environment);
}

/** A tree of which only the listing is in memory; what is in its files is read when somebody wants it. */
export function committedTree(
  git: SimpleGit,
  revision: Revision,
  entries: TreeEntry[],
  environment: Record<string, string>,
): Tree {
  return {
    revision,
    entries,
    read: (wanted) => readBlobs(wanted, environment),
    trailers: (name, since) => readTrailers(git, name, revision.id, since),
    contains: (commit) => containsCommit(git, revision.id, commit),
  };
}
