import type { SimpleGit } from "simple-git";
import { errorMessage } from "../error.ts";
import { readTrailers } from "./commits.ts";
import { parseTreeListing } from "./parse-tree-listing.ts";
import { readBlobs } from "./read-blobs.ts";
import { type Revision, SourceError, type Tree } from "./revision.ts";

/** What a name stands for. */
export async function readRevision(git: SimpleGit, name: string): Promise<Revision> {
  const format = "--format=%H%x00%an <%ae>%x00%s";
  const shown = await git.raw(["log", "-1", "--no-show-signature", format, name, "--"]);
  const [id = "", author, message] = shown.split("\0");
  return { id, author: author?.slice(0, 300), message: message?.slice(0, 300) };
}

/**
 * The tree of a commit, below a folder of it.
 * @param environment git's own, which names the repository
 * @param root the tree to read instead of the commit's own
 * @throws SourceError `GIT_PATH_MISSING`
 */
export async function readTree(
  git: SimpleGit,
  revision: Revision,
  path: string,
  environment: Record<string, string>,
  root = revision.id,
): Promise<Tree> {
  const treeish = path === "." ? root : `${root}:${path}`;
  const listing = await git.raw(["ls-tree", "-r", "-z", "-l", "--full-tree", treeish]).catch((error) => {
    if (!/not a (valid object name|tree object)/i.test(errorMessage(error))) throw error;
    throw new SourceError(
      "GIT_PATH_MISSING",
      `There is no folder "${path}" at commit ${revision.id}: name the definition's folder with --path.`,
    );
  });
  return {
    revision,
    entries: parseTreeListing(listing),
    read: (entries) => readBlobs([...new Set(entries.map((entry) => entry.id))], environment),
    trailers: (name, since) => readTrailers(git, name, revision.id, since),
  };
}
