import type { Definition } from "../definition.ts";
import type { Position, Problem } from "../problem.ts";
import type { DataPath, ParsedFile } from "./parse.ts";

/** A tree that has been read: what it says when it is valid, and everything that is to be said about it. */
export interface Loaded extends FilesLookup {
  definition: Definition | undefined;
  problems: Problem[];
  /** The files that fit their schemas. */
  files: readonly ParsedFile[];
}

/** What is in the files of a tree, and where. */
export interface FilesLookup {
  /** Where a value stands in a file of the tree, for problems that only the server can see. */
  locate(path: string, at: DataPath): Position;
  /** What a file of the tree says there, as it is written; nothing where it says nothing. */
  valueAt(path: string, at: DataPath): unknown;
}
