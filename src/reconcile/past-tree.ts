import { MillraceError } from "../error.ts";
import { type Source, SourceError, type Tree } from "../git/revision.ts";

/** The tree of a revision from before. @throws MillraceError `conflict` that says why it cannot be had */
export async function pastTree(revision: string, source: Pick<Source, "past">): Promise<Tree> {
  try {
    return await source.past(revision);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const isGone = error.code === "GIT_REVISION_MISSING";
    throw new MillraceError("conflict", `The revision cannot be had: ${error.message}`, {
      retryable: !isGone,
    });
  }
}
