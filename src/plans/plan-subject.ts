import { MillraceError } from "../errors/error.ts";
import type { Reference, Tree } from "../git/revision.ts";
import type { RunningFactory } from "../reconcile/running-factory.ts";

/** What a plan is made for: the source as it is now, another place of it, a rollback, or a tree that somebody has. */
export type PlanSubject = "latest" | { reference: Reference } | { rollbackTo: string } | { tree: Tree };

/**
 * The tree that a plan is asked for.
 * @throws MillraceError `invalid_request` for a commit of a source that has none; SourceError when git cannot give it
 */
export async function treeFor(
  subject: PlanSubject,
  {
    source,
    sourceName: name,
    record,
    appliedTree,
  }: Pick<RunningFactory, "source" | "sourceName" | "record" | "appliedTree">,
): Promise<Tree> {
  if (subject === "latest") {
    // The loop may be looking at the tip just now, and two that fetch it would stand in each other's way.
    if (!("url" in record.source) || !source.at) return source.latest();
    return source.at({ ref: `refs/heads/${record.source.branch}` });
  }
  if ("tree" in subject) return subject.tree;
  if ("rollbackTo" in subject) return appliedTree(subject.rollbackTo);
  if (source.at) return source.at(subject.reference);
  throw new MillraceError("invalid_request", `The source of "${name}" is a folder, which has no commits.`, {
    remedy: "Send files instead: `millrace plan DIR`.",
  });
}
