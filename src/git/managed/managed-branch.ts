import type { Tree } from "../revision.ts";
import type { CommitObjects } from "./git-objects.ts";

/** A file of a tree as somebody wants it: with this content, or gone. */
export interface FileEdit {
  path: string;
  /** Null takes the file away. */
  content: Buffer | null;
  executable?: boolean;
}

/** Who commits here, and is the author where nobody has asked. */
export const MILLRACE = "millrace <millrace@localhost>";

/** A commit that is to be written. */
export interface CommitDraft {
  /** The commit that it comes after. */
  parent: string;
  /** Another commit, whose tree it takes over; without one, that of its parent. */
  treeOf?: string;
  edits: readonly FileEdit[];
  /** `Name <email>`; millrace is the committer. */
  author: string;
  message: string;
  at: Date;
}

/** The branch of a repository that millrace keeps itself. Nobody else writes there. */
export interface ManagedBranch {
  /**
   * Makes the repository when nothing was ever in force, and moves the branch to what is in force when a crash came
   * before that could be done: what counts is what the store says.
   * @param applied the revision in force
   * @returns the tip of the branch afterwards
   * @throws SourceError when the repository does not hold what is in force
   */
  settle(applied: string | null): Promise<string>;
  /** Writes a commit to which nothing points yet. @throws SourceError */
  commit(draft: CommitDraft): Promise<Tree>;
  /** Moves the branch. @throws SourceError when it is not where it is said to be */
  advance(from: string, to: string): Promise<void>;
  /**
   * What has to be stored together with a commit when it comes into force; nothing where its objects are not stored.
   * @param since the commit that is in force
   * @param paths all that was edited since then, where that is known
   * @throws SourceError
   */
  history(
    commit: string,
    since: string | null,
    paths?: readonly string[],
  ): Promise<CommitObjects | undefined>;
}
