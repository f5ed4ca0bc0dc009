import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { MillraceError } from "../../errors/error.ts";

/** A file of a run, by the ids of both. */
export interface ArtifactFile {
  runId: string;
  fileId: string;
}

/** A server ends requests that take long, so a large file comes in pieces, one after the other. */
export interface FilePiece {
  bytes: AsyncIterable<Uint8Array>;
  /** Where it begins in the file. */
  offset: number;
  /** Whether the file ends with it. */
  isLast: boolean;
}

/** Bytes of a file, from `start` on and up to `end`, which is not one of them. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Keeps the bytes of the files that agents leave; that there are such artifacts is in the store of runs. A file is there once its
 * last piece is, and not before. Nothing holds a whole file in memory.
 */
export interface ArtifactBytes {
  /** Whether other servers write here too. What is left over is told by its age alone then, and not by who was there before. */
  readonly isShared: boolean;
  /**
   * Takes a piece behind those before it; what there is behind its beginning is replaced. The piece can be sent again, also when
   * it was the last one. It is durable when this resolves. Of two that write one file, the later one wins, and the other throws.
   * @throws MillraceError `invalid_request` when the file is shorter than the offset
   */
  write(file: ArtifactFile, piece: FilePiece): Promise<void>;
  /** Keeps a file that is small enough to be in memory. */
  add(file: ArtifactFile, content: Uint8Array): Promise<void>;
  /** Takes over a file that lies on this server's disk. */
  take(file: ArtifactFile, path: string): Promise<void>;
  /**
   * Nothing for a file that is not there, or not yet. What is answered has to be read to its end or destroyed.
   * @returns how long the whole file is, and its bytes, or those of the range
   */
  open(file: ArtifactFile, range?: ByteRange): Promise<{ size: number; bytes: Readable } | undefined>;
  remove(file: ArtifactFile): Promise<void>;
  /** Removes every file of a run. */
  removeRun(runId: string): Promise<void>;
  /** The runs that have something here, some at a time. */
  listRuns(): AsyncIterable<readonly string[]>;
  /** The ids of what is there of a run, also of files that have not come whole. */
  list(runId: string): Promise<string[]>;
  /** When something was last written to a file, in milliseconds; nothing when it is not there. */
  findChanged(file: ArtifactFile): Promise<number | undefined>;
}

/** How many runs are listed at a time. */
export const RUNS_AT_ONCE = 50;

/** Whether the bytes of a file have the checksum that was recorded. Nothing for a file that is not there. */
export async function isIntact(
  kept: Pick<ArtifactBytes, "open">,
  file: ArtifactFile,
  sha256: string,
): Promise<boolean | undefined> {
  const found = await kept.open(file);
  if (!found) return undefined;
  const hash = createHash("sha256");
  for await (const bytes of found.bytes) hash.update(bytes as Uint8Array);
  return hash.digest("hex") === sha256;
}

/**
 * Opens a file for whoever asked for it, once all of it was compared with the checksum that was recorded: an answer that has
 * begun cannot be taken back.
 * @param sha256 nothing where a version recorded none
 * @throws MillraceError `internal_error` for a file whose bytes are others
 */
export async function openIntact(
  kept: Pick<ArtifactBytes, "open">,
  file: ArtifactFile,
  sha256: string | undefined,
): Promise<{ size: number; bytes: Readable } | undefined> {
  if (sha256 !== undefined && (await isIntact(kept, file, sha256)) === false) {
    throw new MillraceError(
      "internal_error",
      `The file of the artifact ${file.fileId} is damaged: its SHA-256 is not the recorded one, ${sha256}.`,
      {
        remedy: "Restore the file from a backup. `millrace doctor` on the server lists all damaged files.",
        retryable: false,
      },
    );
  }
  return kept.open(file);
}
