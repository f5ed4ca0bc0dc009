import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Tree, TreeEntry } from "../../git/revision.ts";

/** Refuses an edit that was made of something else than what is there now. @throws MillraceError `precondition_failed` */
export type Precondition = (tag: string | undefined) => void;

/** Tells one state of a resource from another, as an entity tag (RFC 9110, 8.8.3). */
export function resourceTag({ fingerprint }: Pick<StoredResource, "fingerprint">): string {
  return `"${fingerprint}"`;
}

/** Tells one content of a file from another. */
export function fileTag({ id, executable }: Pick<TreeEntry, "id" | "executable">): string {
  return `"${id}${executable ? "-x" : ""}"`;
}

export function findEntry({ entries }: Tree, path: string): TreeEntry | undefined {
  return entries.find((entry) => entry.path === path && entry.kind === "file");
}
