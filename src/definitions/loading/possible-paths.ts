import type { TreeEntry } from "../../git/revision.ts";
import type { Problem } from "../problem.ts";
import { treeProblem } from "../problem.ts";

/** What Linux, macOS and git itself allow. */
const MAX_PATH_BYTES = 4_095;
const MAX_SEGMENT_BYTES = 255;
/** As much of a path as is shown. */
const SHOWN = 120;
/** Characters that HFS+ does not see in a name (git's `is_hfs_dotgit`). */
const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** `.git` and what Windows takes for it: the short name, blanks and dots at the end, a stream. */
const GIT_FOLDER = /^(\.git|git~1)[ .]*(:.*)?$/i;

/**
 * The entries of a tree that a checkout could hold. Others can be made by writing objects by hand only, and always with
 * an intent: each is an error, so that nobody has to think about where its path leads.
 */
export function possiblePaths(entries: readonly TreeEntry[]): { entries: TreeEntry[]; problems: Problem[] } {
  const seen = new Set<string>();
  const possible: TreeEntry[] = [];
  const problems: Problem[] = [];
  for (const entry of entries) {
    const why = seen.has(entry.path) ? "is listed twice" : whyImpossible(entry.path);
    seen.add(entry.path);
    if (why === undefined) possible.push(entry);
    else problems.push(impossible(entry.path, why));
  }
  return { entries: possible, problems };
}

function whyImpossible(path: string): string | undefined {
  if (path.length * 3 > MAX_PATH_BYTES && Buffer.byteLength(path) > MAX_PATH_BYTES)
    return "is longer than the limit for a path";
  for (const segment of path.split("/")) {
    if (segment === "" || segment === "." || segment === "..")
      return "points outside its folder or to nothing";
    if (segment.length * 3 > MAX_SEGMENT_BYTES && Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
      return "contains a name that is longer than the limit for a file name";
    if (GIT_FOLDER.test(segment.replace(UNSEEN, ""))) return "points into the .git folder";
  }
  return undefined;
}

function impossible(path: string, why: string): Problem {
  const shown = path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
  const message = `the path ${JSON.stringify(shown)} ${why}, so it cannot be checked out: remove it from the commit`;
  return treeProblem("FF_UNSUPPORTED_PATH", message);
}
