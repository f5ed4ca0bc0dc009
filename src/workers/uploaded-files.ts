import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MillraceError } from "../errors/error.ts";
import { isUuid } from "../id.ts";
import type { ArtifactBytes, FilePiece } from "../runs/output/artifact-bytes.ts";
import { MAX_ARTIFACTS } from "../runs/rules/artifact.ts";

/** What the files of a turn may come to. */
const MAX_BYTES = 256 * 1024 * 1024;
/** Those that are not listed in the end are removed with the run, so they are few. */
const MAX_FILES = 2 * MAX_ARTIFACTS;

/** The files that have come of a turn, and those that are coming, with their sizes. */
export type ReceivedFiles = Map<string, number>;

/** Where the bytes of files arrive that agents on other machines have left, beside those of this server's own. */
export interface UploadedFiles {
  /**
   * Takes a piece of a file. Its bytes are kept whole, once the last piece is there, or not at all.
   * @param received of the turn, whose files together are no larger than one may be
   * @throws MillraceError `payload_too_large`, `invalid_request`, `service_unavailable` when the disk is nearly full, or when the
   *   piece did not arrive whole
   */
  receive(
    runId: string,
    fileId: string,
    piece: FilePiece & { bytes: Readable },
    received: ReceivedFiles,
  ): Promise<void>;
  /** Removes a file that nobody will list. */
  remove(runId: string, fileId: string): Promise<void>;
  /** Whether the bytes of a file are here, and are the ones that are listed. */
  has(runId: string, file: { id: string; size: number; sha256: string }): Promise<boolean>;
}

/**
 * @param kept where the files of all runs are kept
 * @param hasRoom whether the disk has room for more
 */
export function uploadedFiles(kept: ArtifactBytes, hasRoom: () => boolean): UploadedFiles {
  const coming = new Map<string, { bytes: Readable; done: Promise<void> }>();

  /**
   * A piece that is sent again takes the place of the one whose sender has given up. Pieces are told apart by when they came:
   * nothing may be awaited before this.
   */
  async function alone(file: string, bytes: Readable, work: () => Promise<void>): Promise<void> {
    for (let before = coming.get(file); before; before = coming.get(file)) {
      before.bytes.destroy();
      await before.done.catch(() => {});
      if (coming.get(file) === before) coming.delete(file);
    }
    const done = work();
    const piece = { bytes, done };
    coming.set(file, piece);
    await done.finally(() => {
      if (coming.get(file) === piece) coming.delete(file);
    });
  }

  /** Counts a file that is new before anything is awaited: many may begin to come at once. */
  async function takeIn(runId: string, fileId: string, received: ReceivedFiles): Promise<void> {
    if (received.size >= MAX_FILES) throw tooMany();
    received.set(fileId, 0);
    if ((await kept.list(runId)).length < MAX_FILES) return;
    received.delete(fileId);
    throw tooMany();
  }

  return {
    async receive(runId, fileId, { bytes, offset, isLast }, received) {
      if (!isUuid(fileId)) throw new MillraceError("invalid_request", "The id of a file is a UUID.");
      if (!hasRoom()) throw diskFull();
      await alone(`${runId}/${fileId}`, bytes, async () => {
        // What was whole would stay beside what comes now, and would be counted no more.
        if (received.has(fileId)) await (offset === 0 && kept.remove({ runId, fileId }));
        else await takeIn(runId, fileId, received);
        const piece = { bytes: counted(bytes, received, fileId, offset), offset, isLast };
        await kept.write({ runId, fileId }, piece);
      });
    },
    remove: (runId, fileId) => kept.remove({ runId, fileId }),
    async has(runId, { id, size, sha256 }) {
      if (!isUuid(id)) return false;
      const found = await kept.open({ runId, fileId: id });
      if (!found) return false;
      if (found.size !== size) {
        found.bytes.destroy();
        return false;
      }
      const hash = createHash("sha256");
      await pipeline(found.bytes, hash);
      return hash.digest("hex") === sha256;
    },
  };
}

/** Notes what has come of a file, as long as all files of its turn together are small enough. */
async function* counted(
  bytes: Readable,
  received: ReceivedFiles,
  fileId: string,
  offset: number,
): AsyncGenerator<Uint8Array> {
  received.set(fileId, offset);
  for await (const chunk of arriving(bytes)) {
    received.set(fileId, (received.get(fileId) ?? 0) + chunk.length);
    const total = [...received.values()].reduce((sum, size) => sum + size, 0);
    if (total > MAX_BYTES) throw tooLarge();
    yield chunk;
  }
}

/** A sender that leaves, or that sends a piece again in the meantime, is no failure of the server. */
async function* arriving(bytes: Readable): AsyncGenerator<Buffer> {
  try {
    yield* bytes as AsyncIterable<Buffer>;
  } catch (error) {
    throw interrupted(error);
  }
}

function interrupted(cause: unknown): MillraceError {
  return new MillraceError("service_unavailable", "The piece of the file did not arrive whole.", {
    remedy: "Send the piece again.",
    cause,
  });
}

function tooLarge(): MillraceError {
  return new MillraceError(
    "payload_too_large",
    `The files of an agent are larger than ${MAX_BYTES} bytes in one turn.`,
  );
}

function diskFull(): MillraceError {
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
