import type { Revision, TreeEntry } from "../git/revision.ts";

/** A file of an applied revision, as the store lists it. */
export interface StoredFile extends TreeEntry {
  /** SHA-256 of its content. Null for what is no file, or is so large that its source does not read it. */
  hash: Uint8Array | null;
}

/** The files of one revision, as it was applied. */
export interface AppliedFiles {
  /** Numbers what was applied to the factory, in that order. */
  number: number;
  revision: Revision;
  files: StoredFile[];
}

/** A content of a file by its SHA-256. */
export interface FileContent {
  hash: Uint8Array;
  bytes: Uint8Array;
}

/** How the files of a revision differ from those of the one that was applied before. */
export interface FileChanges {
  /** The number of that one; 0 when there was none. */
  since: number;
  removed: string[];
  /** Those that are new, and those with another content or mode. */
  written: StoredFile[];
  /** What is in them, each content once. */
  contents: FileContent[];
}

/** Keeps the files of applied revisions, for as long as their factory is there. `find` and `list` read, the rest writes. */
export interface RevisionFileStore {
  /** The files of a revision as it was applied last; without one, of what was applied last. */
  findFiles(factoryUid: string, revision?: string): Promise<AppliedFiles | undefined>;
  listContents(hashes: readonly Uint8Array[]): Promise<FileContent[]>;
  /**
   * Stores the files of a revision that was applied before its files were stored with it.
   * @returns whether nothing was applied since they were compared
   */
  keepFiles(factoryUid: string, revision: string, changes: FileChanges): Promise<boolean>;
}
