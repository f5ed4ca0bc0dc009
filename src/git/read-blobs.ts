import { gitOutput } from "./git-output.ts";
import type { TreeEntry } from "./revision.ts";

/**
 * Reads many blobs with one `git cat-file --batch` process, whose answers come in the order of the questions:
 * `<oid> blob <size>\n<bytes>\n`, or `<oid> missing\n`.
 * @param environment git's own, which names the repository
 * @returns the bytes by object id
 */
export async function readBlobs(
  entries: readonly Pick<TreeEntry, "id">[],
  environment: Record<string, string>,
): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  // Files with the same content are one blob.
  const ids = [...new Set(entries.map(({ id }) => id))];
  if (ids.length === 0) return blobs;
  const output = await gitOutput(["cat-file", "--batch"], { environment, input: `${ids.join("\n")}\n` });
  let at = 0;
  for (const id of ids) {
    const lineEnd = output.indexOf(0x0a, at);
    const header = output.toString("latin1", at, lineEnd);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1];
    if (lineEnd < 0 || size === undefined)
      throw new Error(`git cat-file responded with "${header}" for the blob ${id}`);
    const start = lineEnd + 1;
    // A copy, so that keeping one small file does not keep the whole answer alive.
    blobs.set(id, Buffer.from(output.subarray(start, start + Number(size))));
    at = start + Number(size) + 1;
  }
  return blobs;
}
