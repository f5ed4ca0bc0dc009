import { createHash } from "node:crypto";
import { gitOutput } from "../git-output.ts";
import type { GitObject } from "./git-objects.ts";

const TYPES: Readonly<Record<GitObject["type"], number>> = { commit: 1, tree: 2, blob: 3 };

/**
 * Adds objects to a repository as one pack. Git computes their hashes from what is in them: what is damaged gets another
 * hash than it should have, and is not found.
 * @param environment git's own, which names the repository
 */
export async function writePack(
  objects: readonly GitObject[],
  environment: Record<string, string>,
): Promise<void> {
  await gitOutput(["index-pack", "--stdin"], { environment, input: packOf(objects) });
}

/** https://git-scm.com/docs/pack-format */
function packOf(objects: readonly GitObject[]): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const parts: Uint8Array[] = [header];
  for (const { type, size, bytes } of objects) parts.push(headerOf(TYPES[type], size), bytes);
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return Buffer.concat([...parts, hash.digest()]);
}

/** The type and the size of an object, seven bits of the size in each byte, but four in the first. */
function headerOf(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
