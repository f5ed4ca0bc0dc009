import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Manifest } from "./contents.ts";

/** How a backup describes a file of its own. */
export async function describeFile(path: string, name: string): Promise<Manifest["databases"][number]> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { name, bytes, sha256: hash.digest("hex") };
}
