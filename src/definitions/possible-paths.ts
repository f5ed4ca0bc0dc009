import type { TreeEntry } from "../git/revision.ts";
import type { Problem } from "./problem.ts";
import { treeProblem } from "./problem.ts";

/** What Linux, macOS and git itself allow. */
const LONGEST_PATH_BYTES = 4_095;
const LONGEST_SEGMENT_BYTES = 255;
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
    const why = seen.has(entry.path) ? "is there twice" : whyImpossible(entry.path);
    seen.add(entry.path);
    if (why === undefined) possible.push(entry);
    else problems.push(impossible(entry.path, why));
  }
  return { entries: possible, problems };
}

function whyImpossible(path: string): string | undefined {
  if (path.length * 3 > LONGEST_PATH_BYTES && Buffer.byteLength(path) > LONGEST_PATH_BYTES)
    return "is longer than a path can be";
  for (const segment of path.split("/")) {
    if (segment === "" || segment === "." || segment === "..") return "leads out of its folder, or nowhere";
    if (segment.length * 3 > LONGEST_SEGMENT_BYTES && Buffer.byteLength(segment) > LONGEST_SEGMENT_BYTES)
      return "has a longer name in it than a file can have";
    if (GIT_FOLDER.test(segment.replace(UNSEEN, ""))) return "leads into the folder of git itself";
  }
  return undefined;
}

function impossible(path: string, why: string): Problem {
  const shown = path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
  const message = `the path ${JSON.stringify(shown)} ${why}, so no checkout can hold it: take it out of the commit`;
  return treeProblem("FF_UNSUPPORTED_PATH", message);
}
