import type { SimpleGit } from "simple-git";
import { type Checkout, isBranchOrTag, keptRef } from "../checkout.ts";
import { commitOf, isHash, isReference, isWholeHash } from "../fetch-reference.ts";

const BRANCHES = "refs/heads/";

/** Whether a text is the full name of what is neither a branch nor a tag, which a mirror has to be given first. */
export function isOtherRef(text: string): boolean {
  return isReference(text) && text.startsWith("refs/") && !isBranchOrTag(text);
}

/**
 * Finds what somebody calls a branch, a tag, a commit or a full `refs/…` in a mirror that is up to date. A branch comes before
 * a tag of the same name, and both before a commit, but nothing stands in for a full hash.
 */
export async function findCheckout(git: SimpleGit, text: string): Promise<Checkout | undefined> {
  for (const ref of namesOf(text)) {
    if ((await commitOf(git, keptRef(ref))) === undefined) continue;
    return ref.startsWith(BRANCHES) ? { ref, branch: ref.slice(BRANCHES.length) } : { ref };
  }
  const commit = isHash(text) ? await commitOf(git, text.toLowerCase()) : undefined;
  return commit === undefined ? undefined : { commit };
}

function namesOf(text: string): string[] {
  if (!isReference(text) || isWholeHash(text)) return [];
  if (!text.startsWith("refs/")) return [BRANCHES + text, `refs/tags/${text}`];
  // Its name without the beginning is an argument of git, too.
  if (text.startsWith(BRANCHES) && !isReference(text.slice(BRANCHES.length))) return [];
  return [text];
}
