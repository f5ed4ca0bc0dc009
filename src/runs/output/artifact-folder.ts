import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { emptyIfMissing, MillraceError, systemCode } from "../../errors/error.ts";
import { isUuid } from "../../id.ts";
import { type ArtifactBytes, type FilePiece, RUNS_AT_ONCE } from "./artifact-bytes.ts";

/** Beside a file until its last piece has come: what is there under the name itself is whole. */
const PART = ".part";

/** Where the bytes of an artifact lie. */
export function artifactFile(kept: string, runId: string, artifactId: string): string {
  return join(kept, runId, artifactId);
}

/** Keeps the bytes of artifacts as files in a folder, which is this server's alone. */
export function artifactFolder(kept: string): ArtifactBytes {
  const placeOf = ({ runId, fileId }: { runId: string; fileId: string }) => artifactFile(kept, runId, fileId);
  return {
    isShared: false,
    async write(file, piece) {
      const path = placeOf(file);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writePiece(path, piece);
      if (piece.isLast) await rename(path + PART, path);
    },
    async add(file, content) {
      const path = placeOf(file);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, content, { flag: "wx", mode: 0o600 });
    },
    async take(file, path) {
      const place = placeOf(file);
      if (path === place) return;
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await rename(path, place);
    },
    async open(file, range) {
      const handle = await open(placeOf(file)).catch((error) => {
        if (systemCode(error) === "ENOENT") return undefined;
        throw error;
      });
      if (!handle) return undefined;
      const { size } = await handle.stat();
      // A stream of files counts the last byte in, and cannot have none.
      if (range && range.end <= range.start) {
        await handle.close();
        return { size, bytes: Readable.from([]) };
      }
      const bytes = handle.createReadStream(range && { start: range.start, end: range.end - 1 });
      return { size, bytes };
    },
    async remove(file) {
      const path = placeOf(file);
      for (const each of [path, path + PART]) await rm(each, { recursive: true, force: true });
    },
    removeRun: (runId) => rm(join(kept, runId), { recursive: true, force: true }),
    async *listRuns() {
      const runIds = (await readdir(kept).catch(emptyIfMissing)).filter(isUuid);
      for (let at = 0; at < runIds.length; at += RUNS_AT_ONCE) yield runIds.slice(at, at + RUNS_AT_ONCE);
    },
    list: (runId) => readdir(join(kept, runId)).catch(emptyIfMissing),
    async findChanged(file) {
      return (await stat(placeOf(file)).catch(() => undefined))?.mtimeMs;
    },
  };
}

/** What a piece has left that did not come whole is written over. */
async function writePiece(path: string, { bytes, offset }: FilePiece): Promise<void> {
  const part = path + PART;
  if (offset > 0) {
    const size = await sizeOf(part);
    // The answer to the last piece was lost, and it is sent again.
    if (size === undefined && ((await sizeOf(path)) ?? 0) >= offset) await rename(path, part);
    else if (size === undefined || size < offset) throw notBehind(offset);
    await truncate(part, offset);
  }
  const options = { mode: 0o600, flags: offset > 0 ? "r+" : "w", start: offset, flush: true };
  await pipeline(bytes, createWriteStream(part, options));
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

/** For a piece of a file whose earlier pieces are not there. */
export function notBehind(offset: number): MillraceError {
  return new MillraceError(
    "invalid_request",
    `The file has no ${offset} bytes yet, behind which a piece could be.`,
  );
}
