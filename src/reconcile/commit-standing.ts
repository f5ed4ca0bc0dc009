import type { Problem } from "../definitions/problem.ts";
import type { Source } from "../git/revision.ts";
import type { FactoryRecord, FactoryStore, RevisionRecord } from "./factory.ts";

/** How a factory stands to a commit. All but `pending` are there to stay until somebody does something. */
export const COMMIT_STATES = ["in_force", "failed", "replaced", "suspended", "pending"] as const;
export type CommitState = (typeof COMMIT_STATES)[number];

export interface CommitStanding {
  commit: string;
  state: CommitState;
  attemptedRevision: string | null;
  appliedRevision: string | null;
  /** Why it is not in force, where that is known. */
  problems: Problem[];
}

export interface StandingDeps {
  /** The factory as it is served now. */
  factory: () => FactoryRecord;
  /** Whether it was resumed, and its source has not been read since. */
  isResuming: () => boolean;
  source: Pick<Source, "contains">;
  store: Pick<FactoryStore, "findAttempts">;
}

/**
 * Whether a commit is in force: it is the revision that was applied, or that one has come after it, as of two pushes in
 * a row only the second is ever looked at.
 */
export async function standingOf(
  commit: string,
  { factory, isResuming, source, store }: StandingDeps,
): Promise<CommitStanding> {
  // Before the factory is looked at: one that was applied in between must not seem to have been replaced since.
  const attempts = await store.findAttempts(factory().uid, commit, 10);
  const { sync } = factory();
  const { attemptedRevision, appliedRevision, status } = sync;
  // What came of it earlier is not its end: the next read of the source attempts it again.
  const isAttemptedAgain = isResuming() && status !== "suspended";
  const standing = (state: CommitState, problems: Problem[] = []): CommitStanding => {
    return { commit, state, attemptedRevision, appliedRevision, problems };
  };
  const isIn = async (revision: string | null) => revision !== null && source.contains(revision, commit);
  if (await isIn(appliedRevision)) return standing("in_force");
  if (isAttemptedAgain) return standing("pending");
  if (attempts.some((attempt) => wasActive(attempt, sync.appliedAt))) return standing("replaced");
  // What was refused is not tried again by itself.
  if (attemptedRevision !== appliedRevision && (await isIn(attemptedRevision))) {
    return standing("failed", attempts[0]?.problems ?? sync.problems);
  }
  return standing(status === "suspended" ? "suspended" : "pending");
}

/** What was applied after that which is served is about to be served, and nothing has replaced it. */
function wasActive({ outcome, at }: RevisionRecord, activeSince: string | null): boolean {
  return outcome === "applied" && activeSince !== null && at <= activeSince;
}
