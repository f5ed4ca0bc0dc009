import type { Tree } from "../revision.ts";

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

/** An object of a repository, as packs have it. */
export interface GitObject {
  /** Its hash. */
  id: string;
  type: "commit" | "tree" | "blob";
  /** Bytes of its content. */
  size: number;
  /** Its content, deflated by zlib. */
  bytes: Uint8Array;
}

/** A commit that came into force, numbered in that order. All objects of it are stored. */
export interface ManagedHead {
  number: number;
  commit: string;
}

/** What of a commit is stored in the transaction in which it comes into force, so that it is there on every server. */
export interface CommitObjects {
  commit: string;
  /** Those that neither the commit in force has, nor were stored before. */
  objects: GitObject[];
}

/** The objects of repositories that millrace keeps, outside of the repositories. `find` and `list` read, the rest writes. */
export interface GitObjectStore {
  /** The head of a commit; without one, the newest. */
  findHead(factoryUid: string, commit?: string): Promise<ManagedHead | undefined>;
  /** The newest first, at most so many. */
  listHeads(factoryUid: string, limit: number): Promise<ManagedHead[]>;
  /** The objects that somebody lacks who has all up to a head, with the bytes that each takes. */
  listObjectIds(factoryUid: string, after: number): Promise<{ id: string; length: number }[]>;
  listObjects(factoryUid: string, ids: readonly string[]): Promise<GitObject[]>;
  /** Stores objects of a head that is stored after them. */
  keepObjects(factoryUid: string, objects: readonly GitObject[]): Promise<void>;
  keepHead(factoryUid: string, commit: string): Promise<void>;
}
