import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import {
  type ArtifactBytes,
  type ArtifactFile,
  type ByteRange,
  type FilePiece,
  RUNS_AT_ONCE,
} from "./artifact-bytes.ts";
import { notBehind } from "./artifact-folder.ts";

/** Of one transaction: other writers wait for it. */
const ROWS_REMOVED_AT_ONCE = 64;

/** Keeps the bytes of artifacts in rows of the store, where every server that shares it finds them. */
export function artifactRows(rows: ArtifactRowStore, now: () => Date): ArtifactBytes {
  const at = () => now().toISOString();

  async function write(file: ArtifactFile, { bytes, offset, isLast }: FilePiece): Promise<void> {
    const writer = newUuid();
    if (!(await rows.begin(file, { offset, writer }, at()))) throw notBehind(offset);
    await allOf((limit) => rows.dropBehind(file, writer, limit));
    let position = offset;
    for await (const row of inRows(bytes)) {
      if (!(await rows.append(file, { writer, position, bytes: row }, at()))) throw takenOver();
      position += row.length;
    }
    if (isLast && !(await rows.seal(file, writer, at()))) throw takenOver();
  }

  return {
    isShared: true,
    write,
    add: (file, content) => write(file, { bytes: Readable.from([content]), offset: 0, isLast: true }),
    async take(file, path) {
      await write(file, { bytes: createReadStream(path), offset: 0, isLast: true });
      await rm(path, { force: true });
    },
    async open(file, range) {
      const size = await rows.findSize(file);
      if (size === undefined) return undefined;
      const whole = { start: range?.start ?? 0, end: Math.min(range?.end ?? size, size) };
      return { size, bytes: Readable.from(read(rows, file, whole), { objectMode: false }) };
    },
    remove: ({ runId, fileId }) => allOf((limit) => rows.remove(runId, fileId, limit)),
    removeRun: (runId) => allOf((limit) => rows.remove(runId, null, limit)),
    async *listRuns() {
      for (let runIds = await rows.listRuns("", RUNS_AT_ONCE); runIds.length > 0; ) {
        yield runIds;
        runIds = await rows.listRuns(runIds.at(-1) ?? "", RUNS_AT_ONCE);
      }
    },
    list: (runId) => rows.listFiles(runId),
    async findChanged(file) {
      const changed = await rows.findChanged(file);
      return changed === undefined ? undefined : Date.parse(changed);
    },
  };
}

async function allOf(removeSome: (limit: number) => Promise<number>): Promise<void> {
  while ((await removeSome(ROWS_REMOVED_AT_ONCE)) >= ROWS_REMOVED_AT_ONCE);
}

/** The same bytes in as few pieces as rows can hold them. */
async function* inRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (let chunk of bytes) {
    while (length + chunk.length >= ROW_BYTES) {
      const first = chunk.subarray(0, ROW_BYTES - length);
      yield Buffer.concat([...waiting, first]);
      chunk = chunk.subarray(first.length);
      waiting = [];
      length = 0;
    }
    if (chunk.length > 0) waiting.push(chunk);
    length += chunk.length;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/** A row at a time, when somebody wants it. */
async function* read(
  rows: ArtifactRowStore,
  file: ArtifactFile,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  for (let position = start; position < end; ) {
    const row = await rows.findRow(file, position);
    const bytes = row?.bytes.subarray(position - row.position, end - row.position);
    if (!bytes || bytes.length === 0)
      throw new Error(`the file ${file.fileId} was deleted while it was read`);
    yield bytes;
    position += bytes.length;
  }
}

/** Nobody waits for the answer: the sender of this piece has sent another one. */
function takenOver(): MillraceError {
  return new MillraceError("service_unavailable", "Another request writes the same file now.", {
    remedy: "Send the piece again.",
    retryAfter: 1,
  });
}

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
