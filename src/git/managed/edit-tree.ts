import { createHash } from "node:crypto";
import type { Revision, Tree, TreeEntry } from "../revision.ts";
import type { FileEdit } from "./managed-branch.ts";

/**
 * The tree that edits make of another, before anything of it is written. Files have the ids that git will give them, so
 * that what is known of the rest need not be read again.
 */
export function editTree(base: Tree, edits: readonly FileEdit[], revision: Revision): Tree {
  const contents = new Map<string, Buffer>();
  const entries = new Map(base.entries.map((entry) => [entry.path, entry]));
  for (const { path, content, executable } of edits) {
    if (content === null) {
      entries.delete(path);
      continue;
    }
    const id = blobId(content);
    contents.set(id, content);
    entries.set(path, {
      path,
      kind: "file",
      size: content.length,
      id,
      ...(executable ? { executable } : {}),
    });
  }
  return {
    ...base,
    revision,
    entries: [...entries.values()].sort(byPath),
    async read(wanted) {
      const before = wanted.filter(({ id }) => !contents.has(id));
      const read = before.length > 0 ? await base.read(before) : new Map<string, Buffer>();
      for (const { id } of wanted) {
        const content = contents.get(id);
        if (content) read.set(id, content);
      }
      return read;
    },
  };
}

/** What git calls a content by: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
export function blobId(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}

/** As `git ls-tree -r` lists them, but for characters beyond the first plane, which no order depends on. */
function byPath(a: TreeEntry, b: TreeEntry): number {
  return a.path < b.path ? -1 : 1;
}
