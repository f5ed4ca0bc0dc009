import { MillraceError } from "../errors/error.ts";
import { type Source, SourceError, type Tree } from "../git/revision.ts";
import type { FactoryStore } from "./factory.ts";

/** The tree of a revision from before. @throws MillraceError `conflict` that says why it cannot be had */
export async function pastTree(revision: string, source: Pick<Source, "past">): Promise<Tree> {
  try {
    return await source.past(revision);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const isGone = error.code === "GIT_REVISION_MISSING";
    throw new MillraceError("conflict", `The revision is not available: ${error.message}`, {
      retryable: !isGone,
    });
  }
}

/**
 * A revision that was tried, by its full hash: whoever may see a factory may not look into every commit of its repository.
 * @throws MillraceError `resource_not_found`
 */
export async function triedRevision(
  revision: string,
  factoryUid: string,
  store: Pick<FactoryStore, "findAttempts">,
): Promise<string> {
  const found = await store.findAttempts(factoryUid, revision, 1);
  if (found.some((attempt) => attempt.revision === revision)) return revision;
  throw new MillraceError(
    "resource_not_found",
    `The revision ${revision} was never attempted by this factory.`,
    {
      remedy: "`millrace history` shows the attempted revisions; specify the full hash.",
    },
  );
}
