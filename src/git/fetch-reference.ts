import type { SimpleGit } from "simple-git";
import { newUid } from "../id.ts";
import { type Reference, SourceError } from "./revision.ts";

/** What git itself allows in a name (git-check-ref-format), and nothing that it would expand or take for an option. */
const NAME = /^(?![-./])(?!.*(\.\.|\/\/|\/\.|@\{|\.lock(\/|$)))[A-Za-z0-9._/@+#%=,!-]{1,250}(?<![./])$/;
const HASH = /^[0-9a-f]{7,64}$/i;
const WHOLE_HASH = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Whether a text can be the name of a branch or tag, a full `refs/…`, or the hash of a commit. */
export function isReference(text: string): boolean {
  return NAME.test(text);
}

/** Whether a text is a full hash, which no branch can stand in for. */
export function isWholeHash(text: string): boolean {
  return WHOLE_HASH.test(text);
}

/** Whether a text can be the hash of a commit, or the beginning of one. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/**
 * Brings a place of a remote into a mirror, without leaving a name for it there.
 * @returns the full hash of its commit
 * @throws SourceError `GIT_REF_MISSING` when the remote has no such place
 */
export async function fetchReference(git: SimpleGit, url: string, reference: Reference): Promise<string> {
  const name = await findName(git, url, reference);
  if (name !== undefined) return fetchName(git, url, name);
  const hash = "ref" in reference && HASH.test(reference.ref) ? reference.ref.toLowerCase() : undefined;
  const known = hash && (await commitOf(git, hash));
  if (known) return known;
  if (hash && WHOLE_HASH.test(hash)) {
    return fetchName(git, url, hash).catch(() => {
      throw missingReference(url, reference);
    });
  }
  throw missingReference(url, reference);
}

/** The full name by which the remote knows a place. */
async function findName(git: SimpleGit, url: string, reference: Reference): Promise<string | undefined> {
  const candidates = namesOf(reference);
  if (candidates.length === 0) return undefined;
  const answer = await git.raw(["ls-remote", "--", url, ...candidates]);
  const names = new Set(answer.split("\n").map((line) => line.slice(line.indexOf("\t") + 1)));
  return candidates.find((candidate) => names.has(candidate));
}

/** Names that a place can have, the likeliest first. Hosts keep the heads of pull requests under names of their own. */
function namesOf(reference: Reference): string[] {
  if ("pullRequest" in reference) {
    const { pullRequest } = reference;
    return [
      `refs/pull/${pullRequest}/head`,
      `refs/merge-requests/${pullRequest}/head`,
      `refs/pull-requests/${pullRequest}/from`,
    ];
  }
  const { ref } = reference;
  // A branch that is named like a commit must not stand in for it.
  if (!NAME.test(ref) || WHOLE_HASH.test(ref)) return [];
  return ref.startsWith("refs/") ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
}

/** Its objects need a name only until they are asked for their commit; git keeps what has none for two weeks. */
async function fetchName(git: SimpleGit, url: string, name: string): Promise<string> {
  const own = `refs/millrace/plan/${newUid()}`;
  await git.raw([
    "fetch",
    "--progress",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    "--",
    url,
    `+${name}:${own}`,
  ]);
  try {
    const commit = await commitOf(git, own);
    if (commit) return commit;
    throw new SourceError("GIT_REF_MISSING", `${name} of ${url} is not a commit.`);
  } finally {
    await git.raw(["update-ref", "-d", own]);
  }
}

/** The full hash of the commit that a name stands for in a repository. */
export async function commitOf(git: SimpleGit, name: string): Promise<string | undefined> {
  const hash = await git
    .raw(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`])
    .catch(() => "");
  return hash === "" ? undefined : hash;
}

/** What is said of a place that a remote does not have. */
export function missingReference(url: string, reference: Reference): SourceError {
  const what =
    "ref" in reference
      ? `branch, tag or commit "${reference.ref}"`
      : `pull request ${reference.pullRequest}, or its host does not provide the pull request's head`;
  return new SourceError(
    "GIT_REF_MISSING",
    `The repository ${url} has no ${what}: push it, or use another reference.`,
  );
}
