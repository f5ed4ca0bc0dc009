import type { ManagedBranch } from "./managed/managed-branch.ts";

/** One state of a source: a commit of the production branch, or the content of a folder. */
export interface Revision {
  /** The full commit hash; of a folder, a hash of its content. */
  id: string;
  author: string | undefined;
  message: string | undefined;
}

/** What lies at a path. Only a `file` is ever read; links are not followed and submodules not fetched. */
export type EntryKind = "file" | "symlink" | "submodule";

export interface TreeEntry {
  /** Relative to the root of the definition tree, with `/`. */
  path: string;
  kind: EntryKind;
  /** Bytes; 0 for what is not a file. */
  size: number;
  /** Whether a file is meant to be executed; left out when not. */
  executable?: true;
  /** Names the content: equal ids have equal bytes, so that what is known by its id is not read again. */
  id: string;
}

/** A definition tree at one revision: what is there, and a way to read some of it at once. */
export interface Tree {
  revision: Revision;
  /** Set for a repository that millrace keeps: until somebody adds to it, there is nothing in it. */
  mayBeEmpty?: true;
  entries: TreeEntry[];
  /** The bytes of each entry, by its id. */
  read(entries: readonly TreeEntry[]): Promise<Map<string, Buffer>>;
  /**
   * What a trailer says in the messages of the commits up to this one; nothing for a folder, which has none.
   * @param since the revision before the first of them; without one, only the last commit counts
   */
  trailers?(name: string, since: string | null): Promise<string[]>;
  /** Whether a commit is this one or one before it; nothing for a folder, which has none. */
  contains?(commit: string): Promise<boolean>;
  /** Of what a pull request would bring: whether it leaves everything here as the branch has it. */
  isUntouched?: boolean;
}

/** Where definitions come from. */
export interface Source {
  /** The tree as it is now. A repository is asked over the network. Throws {@link SourceError}. */
  latest(): Promise<Tree>;
  /**
   * The tree as it was at a revision, without a question to anybody when it is known from before.
   * Throws {@link SourceError} `GIT_REVISION_MISSING` for what cannot be had any more.
   */
  past(revision: string): Promise<Tree>;
  /** Whether a revision is a commit, by its hash or the first characters of it, or has come after it. */
  contains(revision: string, commit: string): Promise<boolean>;
  /** The tree at another place of a repository; a folder has none. Throws {@link SourceError}. */
  at?(reference: Reference): Promise<Tree>;
  /** Set when the repository is millrace's own, and can be written. */
  branch?: ManagedBranch;
}

/**
 * A place in a repository: a branch, a tag, a commit or a full `refs/…`; or what the production branch would be with a pull
 * request merged into it, under the hash of the pull request's head.
 */
export type Reference = { ref: string } | { pullRequest: number };

/** Why a source could not be read. `GIT_` codes stand beside the `FF_` codes of problems in a definition. */
export type SourceErrorCode =
  | "GIT_UNREACHABLE"
  | "GIT_AUTHENTICATION_FAILED"
  | "GIT_BRANCH_MISSING"
  | "GIT_REF_MISSING"
  | "GIT_PATH_MISSING"
  | "GIT_REVISION_MISSING"
  | "GIT_CONFLICT"
  | "GIT_REFUSED";

/** A source that cannot be read now. The last valid definition stays in force, and the source is asked again. */
export class SourceError extends Error {
  readonly code: SourceErrorCode;

  constructor(code: SourceErrorCode, message: string) {
    super(message);
    this.name = "SourceError";
    this.code = code;
  }
}

/** The server stopped while a source was read, which says nothing about the source. */
export class SourceStopped extends Error {}
