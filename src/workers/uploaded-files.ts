import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { emptyIfMissing, MillraceError } from "../errors/error.ts";
import { isUuid } from "../id.ts";
import { MAX_ARTIFACTS } from "../runs/output/artifact.ts";
import { artifactFile } from "../runs/output/artifact-files.ts";

/** What the files of a turn may come to. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Those that are not listed in the end are removed with the run, so they are few. */
const MAX_FILES = 2 * MAX_ARTIFACTS;

/** The files that have come of a turn, and those that are coming, with their sizes. */
export type ReceivedFiles = Map<string, number>;

/** A server ends requests that take long, so a large file comes in pieces, one after the other. */
export interface FilePiece {
  bytes: Readable;
  /** Where it begins in the file. */
  offset: number;
  /** Whether the file ends with it. */
  isLast: boolean;
}

const PART = ".part";

/** Where the bytes of files arrive that agents on other machines have left, beside those of this server's own. */
export interface UploadedFiles {
  /**
   * Takes a piece of a file. Its bytes are kept whole, once the last piece is there, or not at all.
   * @param received of the turn, whose files together are no larger than one may be
   * @throws MillraceError `payload_too_large`, `invalid_request`, `service_unavailable` when the disk is nearly full
   */
  receive(runId: string, fileId: string, piece: FilePiece, received: ReceivedFiles): Promise<void>;
  /** Removes a file that nobody will list. */
  remove(runId: string, fileId: string): Promise<void>;
  /** Whether the bytes of a file are here, and are the ones that are listed. */
  has(runId: string, file: { id: string; size: number; sha256: string }): Promise<boolean>;
}

/**
 * @param kept where the files of all runs are kept
 * @param hasRoom whether the disk has room for more
 */
export function uploadedFiles(kept: string, hasRoom: () => boolean): UploadedFiles {
  const coming = new Map<string, { bytes: Readable; done: Promise<void> }>();

  /** A piece that is sent again takes the place of the one whose sender has given up. */
  async function alone(part: string, bytes: Readable, work: () => Promise<void>): Promise<void> {
    for (let before = coming.get(part); before; before = coming.get(part)) {
      before.bytes.destroy();
      await before.done.catch(() => {});
      if (coming.get(part) === before) coming.delete(part);
    }
    const done = work();
    const piece = { bytes, done };
    coming.set(part, piece);
    await done.finally(() => {
      if (coming.get(part) === piece) coming.delete(part);
    });
  }

  return {
    async receive(runId, fileId, { bytes, offset, isLast }, received) {
      if (!isUuid(fileId)) throw new MillraceError("invalid_request", "The id of a file is a UUID.");
      if (!hasRoom()) throw noRoom();
      const folder = join(kept, runId);
      const names = await readdir(folder).catch(emptyIfMissing);
      if (names.length >= MAX_FILES) throw tooMany();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = artifactFile(kept, runId, fileId);
      // Beside it: what is there under the name itself is whole.
      const part = path + PART;
      const count = counted(received, fileId, offset);
      await alone(part, bytes, () => write(part, offset, [bytes, count]));
      if (isLast) await rename(part, path);
    },
    async remove(runId, fileId) {
      const path = artifactFile(kept, runId, fileId);
      for (const each of [path, path + PART]) await rm(each, { force: true });
    },
    async has(runId, { id, size, sha256 }) {
      if (!isUuid(id)) return false;
      const path = artifactFile(kept, runId, id);
      const found = await stat(path).catch(() => undefined);
      if (found?.size !== size) return false;
      const hash = createHash("sha256");
      await pipeline(createReadStream(path), hash);
      return hash.digest("hex") === sha256;
    },
  };
}

/** Writes a piece behind those before it; what a piece has left that did not come whole is written over. */
async function write(part: string, offset: number, [bytes, count]: [Readable, Transform]): Promise<void> {
  if (offset > 0) {
    const written = await stat(part).catch(() => undefined);
    if (!written || written.size < offset) throw notBehind(offset);
    await truncate(part, offset);
  }
  const options = { mode: 0o600, flags: offset > 0 ? "r+" : "w", start: offset, flush: true };
  await pipeline(bytes, count, createWriteStream(part, options));
}

/** Notes what has come of a file, as long as all files of its turn together are small enough. */
function counted(received: ReceivedFiles, fileId: string, offset: number): Transform {
  received.set(fileId, offset);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      received.set(fileId, (received.get(fileId) ?? 0) + chunk.length);
      const total = [...received.values()].reduce((sum, size) => sum + size, 0);
      if (total > MAX_BYTES) done(tooLarge());
      else done(null, chunk);
    },
  });
}

function notBehind(offset: number): MillraceError {
  return new MillraceError(
    "invalid_request",
    `The file has no ${offset} bytes yet, behind which a piece could be.`,
  );
}

function tooLarge(): MillraceError {
  return new MillraceError(
    "payload_too_large",
    `The files of an agent are larger than ${MAX_BYTES} bytes in one turn.`,
  );
}

function noRoom(): MillraceError {
  return new MillraceError("service_unavailable", "The server's disk has no room for files of agents.", {
    remedy: "Free space on the server's disk.",
    retryAfter: 30,
  });
}

function tooMany(): MillraceError {
  return new MillraceError(
    "invalid_request",
    `The worker has sent more than ${MAX_FILES} files for one run.`,
  );
}
