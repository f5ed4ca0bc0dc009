import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Manifest } from "./contents.ts";

/** How a backup describes a file of its own. */
export async function describeFile(path: string, name: string): Promise<Manifest["databases"][number]> {
  return { name, ...(await measure(path)) };
}

/** @param end where to stop; nothing for the whole file */
async function measure(path: string, end?: number): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  if (end !== 0) {
    const stream = createReadStream(path, end === undefined ? {} : { end: end - 1 });
    await pipeline(stream, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
      }
    });
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** The last line of a backup, behind the end of the archive, where tar reads no more. */
const sealOf = (sha256: string) => `\nmillrace backup, SHA-256 of all bytes before this line: ${sha256}\n`;
const SEAL_BYTES = sealOf("0".repeat(64)).length;
/** How an archive of tar ends. */
const END_OF_TAR = Buffer.alloc(1_024);

/** Ends an archive with the checksum of all that is in it: the name, the size and the bytes of each member, and their order. */
export async function seal(archive: string): Promise<void> {
  await appendFile(archive, sealOf((await measure(archive)).sha256));
}

/** How a file ends: with the seal of all that is before it, as an archive without one, or neither. */
export async function readSeal(
  path: string,
): Promise<{ kind: "sealed"; archiveBytes: number } | { kind: "unsealed" | "broken" | "cut off" }> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const last = async (length: number) => {
      const bytes = Buffer.alloc(Math.min(length, size));
      await handle.read(bytes, 0, bytes.length, size - bytes.length);
      return bytes;
    };
    const found = (await last(SEAL_BYTES)).toString("latin1");
    if (found.startsWith(sealOf("").trimEnd())) {
      const archiveBytes = size - SEAL_BYTES;
      const isWhole = found === sealOf((await measure(path, archiveBytes)).sha256);
      return isWhole ? { kind: "sealed", archiveBytes } : { kind: "broken" };
    }
    return { kind: (await last(END_OF_TAR.length)).equals(END_OF_TAR) ? "unsealed" : "cut off" };
  } finally {
    await handle.close();
  }
}
