import { TREE_LIMITS } from "../definitions/loading/load-file.ts";
import { definitionEntries } from "../definitions/loading/tree-path.ts";
import { MillraceError } from "../errors/error.ts";
import type { Tree } from "../git/revision.ts";

/** A file of a definition, byte for byte. */
export interface DefinitionFile {
  path: string;
  bytes: Buffer;
}

/**
 * The files that a definition consists of, with all that lies beside a skill, as they were committed.
 * @throws MillraceError `conflict` when they are more than a definition may measure
 */
export async function definitionFiles(tree: Tree): Promise<DefinitionFile[]> {
  const entries = definitionEntries(tree.entries);
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (size > TREE_LIMITS.bytes) {
    throw new MillraceError(
      "conflict",
      `The files total ${size} bytes, which is too large for one response.`,
      {
        remedy: "Clone the repository instead.",
        retryable: false,
      },
    );
  }
  const contents = await tree.read(entries);
  return entries.map(({ path, id }) => ({ path, bytes: contents.get(id) ?? Buffer.alloc(0) }));
}
