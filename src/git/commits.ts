import type { SimpleGit } from "simple-git";
import { errorMessage } from "../errors/error.ts";
import { storable } from "../platform/storable-text.ts";
import { DEFINITION_LISTING, listTree, readBlobs } from "./read-tree.ts";
import { type Revision, SourceError, type Tree, type TreeEntry } from "./revision.ts";

/** Brings a place of a remote into the mirror, under the name that the refspec gives it there. */
export async function fetchRef(git: SimpleGit, url: string, refspec: string): Promise<void> {
  await git.raw([
    "fetch",
    // What a large repository says while it comes over a slow line: without it, it would look as if it were dead.
    "--progress",
    "--force",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--update-shallow",
    "--",
    url,
    refspec,
  ]);
}

/** Asks the remote for one commit that the mirror lacks because it was made anew. Hosts give what they still have. */
export async function fetchCommit(git: SimpleGit, url: string, commit: string): Promise<void> {
  try {
    await fetchRef(git, url, `+${commit}:refs/millrace/kept/${commit}`);
  } catch (error) {
    if (!/not our ref|unadvertised object|couldn't find remote ref|bad object/i.test(errorMessage(error)))
      throw error;
    throw new SourceError(
      "GIT_REVISION_MISSING",
      `The commit ${commit} is not in the mirror, and the repository ${url} no longer has it: ` +
        "push a commit with that content instead.",
    );
  }
}

/** The full hash of a commit in the mirror, or nothing. */
export async function findCommit(git: SimpleGit, commit: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{4,64}$/.test(commit)) return undefined;
  const found = await git.raw(["rev-parse", "--verify", "--quiet", `${commit}^{commit}`]).catch(() => "");
  return found.trim() || undefined;
}

/** Whether a revision is a commit or has come after it, as far as the mirror knows both. */
export async function containsCommit(git: SimpleGit, revision: string, commit: string): Promise<boolean> {
  if (revision.startsWith(commit)) return true;
  const [whole, part] = [await findCommit(git, revision), await findCommit(git, commit)];
  if (!whole || !part) return false;
  return (await git.raw(["rev-list", "--max-count=1", part, "--not", whole])).trim() === "";
}

/**
 * The values of a trailer in the messages of the commits that a revision has and another has not. Where the other is not
 * known any more, only the last commit is asked.
 */
async function readTrailers(
  git: SimpleGit,
  name: string,
  revision: string,
  since: string | null,
): Promise<string[]> {
  const known = since === null ? undefined : await findCommit(git, since);
  const range = known ? [revision, "--not", known] : ["--max-count=1", revision];
  const format = `--format=%(trailers:key=${name},valueonly)`;
  const shown = await git.raw(["log", "--no-show-signature", format, ...range, "--"]);
  return shown.split("\n").filter((line) => line.trim() !== "");
}

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
