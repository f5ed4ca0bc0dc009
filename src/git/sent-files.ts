import { createHash } from "node:crypto";
import { MillraceError } from "../errors/error.ts";
import type { Tree, TreeEntry } from "./revision.ts";

/** A file that somebody sends instead of pointing at a folder. */
export interface SentFile {
  path: string;
  content: string;
  /** Says that the content is the bytes in base64, as of an image that a skill brings; text without it. */
  encoding?: "base64";
  executable?: boolean;
}

/** A path that git could hold: relative, with `/`, and without steps that lead nowhere or out. */
const PATH = /^(?!\/)(?!.*(^|\/)(\.{0,2})(\/|$))[^\0\\]+$/;
const MAX_PATH = 1_000;

/**
 * The tree that files make. Nothing of it touches the disk.
 * @throws MillraceError `invalid_request` for a path that no tree can have, or that is there twice
 */
export function treeOfFiles(files: readonly SentFile[]): Tree {
  const contents = new Map<string, Buffer>();
  const paths = new Set<string>();
  const entries = files.map(({ path, content, encoding, executable }): TreeEntry => {
    if (!PATH.test(path) || path.length > MAX_PATH) throw refuse(path, "has an invalid path");
    if (paths.has(path)) throw refuse(path, "was sent twice");
    paths.add(path);
    const bytes = Buffer.from(content, encoding ?? "utf8");
    const id = createHash("sha256").update(bytes).digest("hex");
    contents.set(id, bytes);
    return { path, kind: "file", size: bytes.length, id, ...(executable ? { executable } : {}) };
  });
  return {
    revision: { id: hashOf(entries), author: undefined, message: undefined },
    entries,
    read: async (wanted) => new Map(wanted.map(({ id }) => [id, contents.get(id) ?? Buffer.alloc(0)])),
  };
}

/** Files as they are sent: bytes that are no UTF-8 go as base64. @param contents by the ids of the entries */
export function filesToSend(
  entries: readonly TreeEntry[],
  contents: ReadonlyMap<string, Buffer>,
): SentFile[] {
  return entries.map(({ path, id, executable }) => {
    const bytes = contents.get(id) ?? Buffer.alloc(0);
    const text = bytes.toString("utf8");
    const mode = executable ? { executable } : {};
    return Buffer.from(text).equals(bytes)
      ? { path, content: text, ...mode }
      : { path, content: bytes.toString("base64"), encoding: "base64", ...mode };
  });
}

function hashOf(entries: readonly TreeEntry[]): string {
  const hash = createHash("sha256");
  for (const { path, id, executable } of entries) hash.update(`${id} ${executable ? "x" : "-"} ${path}\0`);
  return hash.digest("hex");
}

function refuse(path: string, why: string): MillraceError {
  return new MillraceError("invalid_request", `The file ${JSON.stringify(path.slice(0, 200))} ${why}.`, {
    remedy: "Send each file once, with its path relative to the root of the definition and / as separator.",
  });
}
