import type { Problem } from "../definitions/problem.ts";
import type { Source } from "../git/revision.ts";
import type { FactoryRecord, FactoryStore } from "./factory.ts";

/** How a factory stands to a commit. All but `pending` are there to stay until somebody does something. */
export const COMMIT_STATES = ["in_force", "failed", "replaced", "suspended", "pending"] as const;
export type CommitState = (typeof COMMIT_STATES)[number];

export interface Standing {
  commit: string;
  state: CommitState;
  attemptedRevision: string | null;
  appliedRevision: string | null;
  /** Why it is not in force, where that is known. */
  problems: Problem[];
}

export interface StandingParts {
  source: Pick<Source, "contains">;
  store: Pick<FactoryStore, "findAttempts">;
}

/**
 * Whether a commit is in force: it is the revision that was applied, or that one has come after it, as of two pushes in
 * a row only the second is ever looked at.
 */
export async function standingOf(
  commit: string,
  { uid, sync }: FactoryRecord,
  { source, store }: StandingParts,
): Promise<Standing> {
  const { attemptedRevision, appliedRevision, status } = sync;
  const standing = (state: CommitState, problems: Problem[] = []): Standing => {
    return { commit, state, attemptedRevision, appliedRevision, problems };
  };
  const isIn = async (revision: string | null) => revision !== null && source.contains(revision, commit);
  if (await isIn(appliedRevision)) return standing("in_force");
  const attempts = await store.findAttempts(uid, commit, 10);
  if (attempts.some(({ outcome }) => outcome === "applied")) return standing("replaced");
  // What was refused is not tried again by itself.
  if (attemptedRevision !== appliedRevision && (await isIn(attemptedRevision))) {
    return standing("failed", attempts[0]?.problems ?? sync.problems);
  }
  return standing(status === "suspended" ? "suspended" : "pending");
}
