import type { ArtifactFile } from "./artifact-bytes.ts";

/** One row of a file at most, in bytes. */
export const ROW_BYTES = 256 * 1024;

/** Keeps the bytes of artifacts in rows. Only who has begun to write a file last adds to it. */
export interface ArtifactRowStore {
  /**
   * Makes a writer the only one of a file, which goes on behind so many bytes. What is there behind them is not of the file any
   * more, and has to be dropped before anything is added.
   * @returns whether the file has so many bytes
   */
  begin(file: ArtifactFile, piece: { offset: number; writer: string }, at: string): Promise<boolean>;
  /** Drops rows behind the end of a file. @returns how many; as many as `limit` means that there may be more */
  dropBehind(file: ArtifactFile, writer: string, limit: number): Promise<number>;
  /** Adds a row. @returns whether the writer still is the one of the file, and the row begins where the file ended */
  append(
    file: ArtifactFile,
    row: { writer: string; position: number; bytes: Uint8Array },
    at: string,
  ): Promise<boolean>;
  /** Says that the file is whole. @returns whether the writer still is the one of the file */
  seal(file: ArtifactFile, writer: string, at: string): Promise<boolean>;
  /** How long a file is that is whole. */
  findSize(file: ArtifactFile): Promise<number | undefined>;
  /** The row of a file that has the byte at a position, and where the row begins. */
  findRow(file: ArtifactFile, position: number): Promise<{ position: number; bytes: Uint8Array } | undefined>;
  /** When a file was changed last. */
  findChanged(file: ArtifactFile): Promise<string | undefined>;
  /** The files of a run, also those that have not come whole. */
  listFiles(runId: string): Promise<string[]>;
  /** The runs that have files, by their ids. */
  listRuns(afterRunId: string, limit: number): Promise<string[]>;
  /**
   * Removes rows of a file, or of all files of a run, and the files with their last ones. Nobody adds to them in the meantime.
   * @returns how many rows; as many as `limit` means that there may be more
   */
  remove(runId: string, fileId: string | null, limit: number): Promise<number>;
}
