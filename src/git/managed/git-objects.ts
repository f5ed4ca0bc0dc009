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
